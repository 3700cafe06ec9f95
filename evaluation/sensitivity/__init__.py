"""How sure the order of runs is: which changes of judgments, pool and topics it survives, and shares of draws."""
