"""Whether what is planted can be told from what is ordinary by anything a person receives: a statistical look."""
