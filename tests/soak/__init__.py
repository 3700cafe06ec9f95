"""Imports under kill −9: in a short form with the tests, in full by `make soak`."""
