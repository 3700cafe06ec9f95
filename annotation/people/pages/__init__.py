"""What pages of people say."""
