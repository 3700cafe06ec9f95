"""The space that vectors lie in: a family of figures a file (docs/space.md)."""
