"""The method: coherence, the graph it makes, the strongest chain through it, and the chance chains beside it."""
