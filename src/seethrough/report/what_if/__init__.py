"""What-if shown: terminal, page, Markdown, JSON, and the picture of the trade-off."""
