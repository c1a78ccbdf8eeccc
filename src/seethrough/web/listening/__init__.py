"""How browsers reach the tool: the address, the socket and its connections, the link that opens once."""
