"""Figures: plain data in, a plotly figure or a pydeck deck out. No screen, no files, no database."""
