"""What an audit shows besides scores: distances, groups, columns, exposed rows."""
