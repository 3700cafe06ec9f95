"""How sure the order of runs is: which changes it survives, and the shares of draws in which one run beats another."""
