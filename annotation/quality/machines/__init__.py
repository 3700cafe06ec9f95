"""Machine judges: what they say stands beside what people say, never in it."""
