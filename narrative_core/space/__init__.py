"""Text to vectors to landscape: embedding, projection, clusters, topics and the terms that name them."""
