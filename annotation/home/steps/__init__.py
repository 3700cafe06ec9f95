"""The demo collection, asked for."""
