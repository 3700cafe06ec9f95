"""What the pages of series say and draw."""
