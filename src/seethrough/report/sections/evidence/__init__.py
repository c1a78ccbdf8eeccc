"""What members against people outside came to: the verdict, every attack, exposed people."""
