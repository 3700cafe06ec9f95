"""People judge while web servers of an earlier and of this version answer side by side, on this version's database."""

from dataclasses import dataclass
from pathlib import Path

from tests.soak.judging import Figures, JudgingSoak, batch_with_gold, room_of
from tests.soak.machines import WEB_PROCESSES, Front
from tests.soak.served import Served


class Version(Served):
    """The web server of a checkout."""

    def __init__(self, var: Path, root: Path) -> None:
        super().__init__(var, WEB_PROCESSES, "--without-worker")
        self.root = root


@dataclass
class UpgradeSoak(JudgingSoak):
    """`before` is a checkout of the earlier version. Nobody is killed: requests go to the two in turn."""

    before: Path = Path()

    def run(self) -> Figures:
        self.figures = Figures()
        self.batch = batch_with_gold(self.n_people, self.n_topics, self.n_pairs)
        self.room = room_of(self.batch)
        servers = [Version(self.var / "before", self.before), Version(self.var / "now", Served.root)]
        try:
            for server in servers:
                server.start()
            front = Front(servers)
            self._judge_under_kills(front)  # type: ignore[arg-type]  # people use `request`
        finally:
            for server in servers:
                server.stop()
        self._count()
        self.figures.broken += front.errors
        self.say(f"answered: {dict(sorted(front.statuses.items()))}")
        return self.figures

    def _kill_at_moments(self, server: Served) -> None:
        """None."""
