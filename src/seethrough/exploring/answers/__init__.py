"""What an exploration answers: plain frozen values, one subject a file. They may hold values of single people."""
