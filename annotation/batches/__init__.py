"""The work handed out: drafts, layouts, dynamic overlap, qualification rounds and replacements."""
