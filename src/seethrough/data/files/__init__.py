"""Files and frames, before anything is known about their columns."""
