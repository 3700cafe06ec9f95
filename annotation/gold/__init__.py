"""Pairs whose grade is known: events, what people made of them, and telling people how they did."""
