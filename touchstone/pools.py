"""Two kinds of requests: those of people who judge, who never wait for those of everybody else."""

JUDGING = ("/judge/", "/judging/", "/work/", "/api/v1/judging", "/api/v1/work")  # how their paths begin


def pool_of(path: str) -> str:
    """`judging`, or `other` for everything else."""
    return "judging" if path.startswith(JUDGING) else "other"
