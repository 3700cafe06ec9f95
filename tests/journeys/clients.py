"""People who judge over HTTP as a page with its script would, and go on when the server has been killed."""

import http.client
import random
import re
import threading
import time
from urllib.parse import urlencode

from annotation.models import Annotator, Batch
from tests.live import Answer, Server, sign_in

DOUBLED = 0.05
TOKEN = re.compile(r'id="card"[^>]* data-token="([^"]+)"')
CSRF = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
BUSY = 503
PATIENCE = 600.0  # seconds without a judgment, on a busy machine


class Client:
    """One person's browser without a screen: it tries again when the server does not answer, or has no time.

    `acknowledged`: form token → grade that was said to be saved. `faults`: what came to a grade instead. `unanswered`
    counts requests cut off, `busy` those answered 503, `replayed` grades stored by a request that was cut off.
    Who is `stopped` gives up with an error.
    """

    def __init__(self, server: Server, batch: Batch, annotator: Annotator, seed: int) -> None:
        assert annotator.user is not None
        self.server, self.page, self.rng = server, f"/judge/{batch.token}/", random.Random(seed)
        self.cookies = {"touchstone_session": sign_in(annotator.user)}
        self.acknowledged: dict[str, int] = {}
        self.faults: list[str] = []
        self.unanswered = self.busy = self.replayed = 0
        self.stopped = False
        self.csrf = ""

    def judge_to_the_end(self) -> None:
        deadline = time.monotonic() + PATIENCE
        answer = self._get()
        while "That was the last one" not in answer.text:
            assert not self._gives_up(deadline), answer.text
            if TOKEN.search(answer.text):
                answer = self._grade(answer)
                deadline = time.monotonic() + PATIENCE
            elif "Start judging" in answer.text or "Continue" in answer.text:
                answer = self._post("start")
            else:
                time.sleep(0.2)
                answer = self._get()

    def _grade(self, shown: Answer) -> Answer:
        token, grade = _value(TOKEN, shown), self.rng.randrange(5)
        if token in self.acknowledged:
            self.faults.append(f"form {token}: its card came again after its grade was acknowledged")
        form = {"token": token, "grade": str(grade)}
        if self.rng.random() < DOUBLED:
            twin = threading.Thread(target=self._post, args=("grade",), kwargs=form)
            twin.start()
            answer = self._post("grade", **form)
            twin.join()
        else:
            answer = self._post("grade", **form)
            self.replayed += 'data-outcome="replayed"' in answer.text
        if answer.status == 200 and "Saved:" in answer.text:
            self.acknowledged[token] = grade
        else:
            self.faults.append(f"{answer.status}: {answer.text[:200]}")
        return answer

    def _get(self) -> Answer:
        answer = self._send("GET", self.page)
        self.csrf = match[1] if (match := CSRF.search(answer.text)) else self.csrf
        return answer

    def _post(self, deed: str, **fields: str) -> Answer:
        """As the page's script would, one that holds no card: each answer brings the card and those that wait."""
        body = urlencode({"csrfmiddlewaretoken": self.csrf, **fields})
        headers = {"Content-Type": "application/x-www-form-urlencoded", "X-Judge-Ahead": "5", **self._page_headers()}
        return self._send("POST", self.page + deed, body=body, headers=headers)

    def _page_headers(self) -> dict[str, str]:
        return {"X-Judge": ""}

    def _send(self, method: str, path: str, *, body: str = "", headers: dict[str, str] | None = None) -> Answer:
        deadline = time.monotonic() + PATIENCE
        while True:
            cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
            try:
                answer = self.server.request(method, path, body=body, headers={**(headers or {}), "Cookie": cookie})
            except (http.client.HTTPException, OSError):
                self.unanswered += 1
            else:
                self._keep_cookie(answer)
                if answer.status != BUSY:
                    return answer
                self.busy += 1
            assert not self._gives_up(deadline), "the server stayed away"
            time.sleep(0.1)

    def _gives_up(self, deadline: float) -> bool:
        return self.stopped or time.monotonic() >= deadline

    def _keep_cookie(self, answer: Answer) -> None:
        name, _, value = answer.headers.get("Set-Cookie", "").partition(";")[0].partition("=")
        if name:
            self.cookies[name] = value


def _value(pattern: re.Pattern[str], answer: Answer) -> str:
    match = pattern.search(answer.text)
    assert match, f"{answer.status}: {answer.text[:500]}"
    return match[1]
