"""What a person who judges is shown: what lies on their desk, what stands before a card, what became of a deed."""
