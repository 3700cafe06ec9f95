"""What commands of every app are made of; commands of files need not even Django."""
