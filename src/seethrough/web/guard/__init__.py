"""Who may ask, and what every answer carries: it knows no framework, no route and no table."""
