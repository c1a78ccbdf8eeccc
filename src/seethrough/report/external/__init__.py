"""The report for others than the custodian: only what is named may go out."""
