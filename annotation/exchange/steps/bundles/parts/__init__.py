"""The kinds of rows of a bundle: `part` has what they share, `references` how rows name each other."""
