"""What is searched, one module each: what its cases are, and what is expected of every one."""
