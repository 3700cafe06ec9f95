"""Models beside a reference: how much of what it finds they find, how alike they score (docs/reference.md)."""
