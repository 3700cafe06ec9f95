"""Accounts, members and invitations, what people agree to, and which annotators are machines."""
