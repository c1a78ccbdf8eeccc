"""What follows from guesses of secrets: figures beside the leak, several secrets at once, key sets that give away."""
