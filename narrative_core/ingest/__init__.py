"""Files to documents: tables of text become dated documents, with a report on what became of every row."""
