"""What a report for others shows."""
