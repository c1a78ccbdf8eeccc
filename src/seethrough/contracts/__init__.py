"""What a plug-in has to offer."""
