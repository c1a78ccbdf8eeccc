"""What the operating system is asked for: private folders, signals, processes and their ends, memory."""
