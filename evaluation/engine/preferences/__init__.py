"""Preferences between documents, and judgments in groups: trec_eval's `-R prefs`, `qrels_prefs` and `qrels_jg`.

A judgment group is one person's view of a topic. Groups may contradict each other; a group may not
contradict itself.
"""
