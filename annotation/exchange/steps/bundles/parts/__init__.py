"""The kinds of rows of a bundle, a class each: `part` has what they share, `references` how rows name each other."""
