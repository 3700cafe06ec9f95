"""What pages and the API of evaluation share."""
