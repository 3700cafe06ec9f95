"""Vectors that models have for the queries and documents of a collection: stored, searched into runs, described."""
