"""Who may ask: the checks that every request passes before anything else sees it."""
