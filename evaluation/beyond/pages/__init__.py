"""What pages of this subject show: figures in their order, curves, and the command that gives the same."""
