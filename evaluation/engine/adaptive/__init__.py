"""Ways to choose which pairs of a pool are judged next, as judging goes on: one a file, all named in `methods`."""
