"""What pages of this subject show: verdicts, figures and drawings."""
