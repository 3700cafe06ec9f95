"""The flow of this subject, in verbs; transactions live here."""
