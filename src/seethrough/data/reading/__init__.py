"""From columns of text to tables of codes and numbers under one schema."""
