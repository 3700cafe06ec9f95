"""Queries of this subject: the only place where its rows are read for others."""

from annotation.people.read.members import Member, members_of, open_invitations

__all__ = ["Member", "members_of", "open_invitations"]
