"""Imports and judging under kill −9: in short forms with the tests, in full by `make soak`."""
