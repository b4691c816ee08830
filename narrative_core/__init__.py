"""Throughline: find and judge the stories inside a dated document collection."""

__version__ = "0.1.0"
