"""Statistics of judgements: arrays in, estimates out."""
