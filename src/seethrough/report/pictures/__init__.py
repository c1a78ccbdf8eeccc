"""What the pictures of a report show, apart from how a medium draws them."""
