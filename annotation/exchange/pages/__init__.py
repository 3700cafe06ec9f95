"""What pages of files on their way in say."""
