"""The Python client of the API: its types, its deeds beside the schema, its manners on a bad wire."""
