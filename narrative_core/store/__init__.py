"""The database file: migrations, and functions that save and load the records of the program."""
