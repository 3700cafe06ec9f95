"""How large an experiment must be: power, smallest detectable difference, width of an interval."""
