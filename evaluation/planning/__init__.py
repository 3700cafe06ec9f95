"""Before an experiment: how large it must be, and which queries of a log it is made of."""
