"""How a batch under way does: progress, pace, cost and alerts."""
