"""The other process of an audit: its loop, the computation, and its end."""
