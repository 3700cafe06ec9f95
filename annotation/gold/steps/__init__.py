"""The flow of gold, in verbs; transactions live here."""
