"""What a person may send of this subject, where others take it in."""
