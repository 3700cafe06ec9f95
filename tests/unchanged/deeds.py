"""Some deeds over pages and API, so that more pages have something to show: each as a page of what it answered."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.management import call_command
from django.test import Client

from tests.unchanged.crawl import Page, name_of
from tests.unchanged.still import Clock

JUDGE = "demo-annotator-1"
CARDS, SCRIPTED = 14, 9  # of one person: gold is among them; from which on they are sent as the page's script does
_TOKEN = re.compile(r'name="token" value="([^"]+)"')


@dataclass(frozen=True)
class Deeds:
    """The people of the demo at work in its collection."""

    clients: Mapping[str, Client]
    clock: Clock
    slug: str

    def all(self) -> Iterator[Page]:
        yield from self._of_judging()
        yield from self._of_admin()
        yield from self._of_the_end()
        yield from self._of_objecting()

    def _of_judging(self) -> Iterator[Page]:
        """One judges a dozen cards and skips one; one begins the round of training; one is told of the guideline."""
        batch = self._batches()["Round two"]
        desk = f"/judge/{batch}/"
        for who in (JUDGE, "demo-annotator-2", "demo-annotator-3"):
            yield self._post(who, f"{desk}start")
            yield self._get(who, desk)
        yield self._post("demo-annotator-2", f"{desk}consent", number=1)
        yield self._post("demo-annotator-2", f"{desk}qualify/begin")
        yield self._get("demo-annotator-2", f"{desk}qualify")
        yield self._get(JUDGE, f"{desk}document?view=whole&token={self._card(batch)}")
        yield self._post(JUDGE, f"{desk}terms", {"X-Judge": ""}, token=self._card(batch), words="car oil")
        yield self._post(JUDGE, f"{desk}skip", token=self._card(batch), reason="unclear", note="?")
        for n in range(CARDS):
            self.clock.let_pass(seconds=20)
            fields = {"token": self._card(batch), "grade": n % 5, "comment": "A remark." if n == 3 else ""}
            script = {"X-Judge": ""} if n >= SCRIPTED else {}
            yield self._post(JUDGE, f"{desk}grade", script, **fields, active_ms=9000, wall_ms=19000)
        yield self._get(JUDGE, f"{desk}recent")
        yield self._get(JUDGE, desk)

    def _of_admin(self) -> Iterator[Page]:
        """People excluded, paused and said to be machines; an alert set aside; pairs decided; gold set."""
        api = f"/api/v1/collections/{self.slug}"
        for name, deed in (("hasty", "exclude"), ("careful", "pause"), ("brisk", "pause"), ("brisk", "resume")):
            yield self._send(f"{api}/annotators/simulated-{name}/{deed}", reason="To see it.")
        alert = self._list(f"{api}/alerts")[0]
        about = {key: alert[key] for key in ("rule", "about")}
        yield self._send(f"{api}/batches/{alert['batch']}/alerts/set-aside", **about, note="Known.")
        pairs = [{key: row[key] for key in ("number", "docno")} for row in self._list(f"{api}/contested")[:3]]
        for n, pair in enumerate(pairs):
            self.clock.let_pass(seconds=30)
            yield self._send(f"{api}/contested/pair/blind", **pair, grade=n)
            yield self._send(f"{api}/contested/pair/look", **pair)
            if n < 2:
                yield self._send(f"{api}/contested/pair/decide", **pair, grade=2, reason="By the rule.", based_on=0)
        yield self._send(f"{api}/contested/pair/withdraw", **pairs[0], reason="An error.", based_on=1)
        yield self._send(f"{api}/policies", name="strict", parameters={"min_judgments": 3, "consolidation": "median"})
        yield self._post(
            "demo-admin", f"/c/{self.slug}/qualifications/new", name="Another", pass_mark=80, most_attempts=2
        )

    def _of_the_end(self) -> Iterator[Page]:
        """The second batch closed, a snapshot of it and of the first, runs evaluated, accounted, the whole packed."""
        batches, here = self._batches(), f"/c/{self.slug}"
        yield self._post("demo-admin", f"{here}/batches/{batches['Round two']}/step", step="close")
        chosen = [batches["Round one"], batches["Round two"]]
        yield self._post("demo-admin", f"{here}/snapshots/new", name="both", batch=chosen, policy="weighed v1")
        self._work()
        runs = {"runs": ["bm25", "latent", "trigrams"]}
        yield self._post("demo-admin", f"{here}/leaderboard/evaluate", **runs, snapshot="both", averaging="complete")
        yield self._post("demo-admin", f"{here}/snapshots/1/accounting/ask", **runs, k=10)
        yield self._post("demo-admin", f"{here}/bundle/")
        self._work()

    def _of_objecting(self) -> Iterator[Page]:
        """Feedback is there: somebody reads it and objects to two pairs, and one objection is answered."""
        own = f"/work/{self._batches()['Round two']}/"
        results = sorted(set(re.findall(rf'"({own}[\w-]{{20,}})[/"]', self.clients[JUDGE].get(own).text)))
        for result in results[:2]:
            yield self._post(JUDGE, f"{result}/object", reason="The document says so itself.")
        api = f"/api/v1/collections/{self.slug}/gold/objections"
        for objection in self._list(api)[:1]:
            yield self._send(f"{api}/{objection['token']}", decision="decline", answer="It does not.")

    def _batches(self) -> dict[str, str]:
        return {each["name"]: each["token"] for each in self._list(f"/api/v1/collections/{self.slug}/batches")}

    def _list(self, address: str) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.clients["demo-admin"].get(address).json()["results"]
        return rows

    def _card(self, batch: str) -> str:
        shown = _TOKEN.search(self.clients[JUDGE].get(f"/judge/{batch}/").text)
        return shown[1] if shown else "none"

    def _work(self) -> None:
        self.clock.let_pass(minutes=1)
        call_command("worker", once=True)

    def _get(self, who: str, address: str) -> Page:
        response = self.clients[who].get(address)
        return Page(name_of(address) or "", address, response, response.getvalue())

    def _send(self, address: str, /, **body: object) -> Page:
        """As JSON, by the admin."""
        response = self.clients["demo-admin"].post(address, json.dumps(body), content_type="application/json")
        return Page(name_of(address) or "", address, response, response.getvalue(), "POST")

    def _post(self, who: str, address: str, headers: dict[str, str] | None = None, /, **fields: object) -> Page:
        """As a form."""
        response = self.clients[who].post(address, fields, headers=headers)
        return Page(name_of(address) or "", address, response, response.getvalue(), "POST")
