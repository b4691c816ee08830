"""What the method costs, measured; see README.md in this folder."""
