"""Honest accounting: what runs are worth if what a policy dropped were counted after all, or under other policies.

`case_qrels` makes the qrels, `scoring` scores the runs by all of them, `requests` queues jobs,
`jobs` does them.
"""
