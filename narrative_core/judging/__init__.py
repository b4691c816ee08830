"""Judges: language models asked in four modes, a local model that reads, and a reader without a model."""
