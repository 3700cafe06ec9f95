"""Vectors on their way in and out, searched into runs, and the space that they lie in."""
