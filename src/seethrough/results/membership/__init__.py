"""What rating strangers gives back."""
