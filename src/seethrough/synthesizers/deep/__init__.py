"""What the deep generators are made of; all but `extra` needs torch, and is imported when a generator is fitted."""
