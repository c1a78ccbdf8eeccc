"""`seethrough study`: plans of experiments, run once each cell, looked at any time; one file a command."""
