"""What a report says, in words, for every renderer."""
