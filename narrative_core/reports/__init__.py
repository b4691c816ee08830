"""A story as HTML, Markdown, CSV, JSON or SVG: values in, text out."""
