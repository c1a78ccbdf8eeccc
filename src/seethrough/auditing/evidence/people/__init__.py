"""From rows to people: several rows each, who is exposed, and what coins that put people in or out allow to say."""
