"""Parts of views that are not pages: words, pictures and rows."""
