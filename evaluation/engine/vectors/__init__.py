"""Embeddings: exact search by cosine, inner product or Euclidean distance (docs/vectors.md)."""
