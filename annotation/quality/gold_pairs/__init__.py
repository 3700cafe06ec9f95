"""How good the gold itself is: how balanced, how worn, and which of it may be wrong."""
