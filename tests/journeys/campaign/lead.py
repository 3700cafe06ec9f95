"""The one who leads the campaign, page by page: from the first sign-in to the leaderboard."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import StringIO

from django.core.management import call_command

from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Job
from tests.journeys.campaign.browser import Browser, Page, Value, file
from tests.journeys.campaign.material import Material, NamedFile

SLUG = "campaign"
HOME = f"/c/{SLUG}/"
KINDS = ("topics", "documents", "qrels")


def work() -> None:
    """What the worker does meanwhile; nothing may fail."""
    while run := claim_job():
        job = run_job(run)
        assert job.state == Job.State.DONE, f"{job.kind}: {job.state} {job.error}"


@dataclass
class Lead:
    browser: Browser = field(default_factory=Browser)

    def come_in(self, name: str = "lead") -> Page:
        """By the link that the command prints; it works once."""
        output = StringIO()
        call_command("create_admin", name, stdout=output)
        link = output.getvalue().split()[-1]
        start = self.browser.press(self.browser.open(link), f"Sign in as {name}")
        assert Browser().refused(link) == 404
        return start

    def create_collection(self, name: str) -> Page:
        page = self.browser.open(self.browser.open("/").link("Create a collection"))
        return self.browser.press(page, "Create the collection", name=name, slug=SLUG)

    def bring(self, kind: str, brought: NamedFile, **fields: Value) -> Page:
        """Upload a file, look at the preview, publish."""
        page = self.browser.open(f"{HOME}imports/new/{kind}")
        page = self.browser.press(page, "Upload and check", file=file(brought.name, brought.content), **fields)
        work()
        page = self.browser.open(page.address)
        assert "Nothing is visible yet. This is what would be stored:" in page.words, page.words
        self.browser.press(page, "Publish")
        work()
        page = self.browser.open(page.address)
        assert "Published" in page.words, page.words
        return page

    def bring_runs(self, runs: Sequence[NamedFile]) -> list[dict[str, str]]:
        """All at once, without looking first; what the list of runs then says."""
        page = self.browser.open(self.browser.open(f"{HOME}runs/").link("Import runs"))
        files = [file(run.name, run.content) for run in runs]
        self.browser.press(page, "Upload and check", file=files, format="trec", publish=True)
        work()
        return self.browser.open(f"{HOME}runs/").table("Tag", "Topics", "Rows")

    def invite(self, notes: Sequence[str]) -> dict[str, str]:
        """Invitation links made at once: note → link."""
        page = self.browser.open(f"{HOME}invitations/")
        page = self.browser.press(page, "Make links", role="annotator", notes="\n".join(notes))
        links = page.tree.by_id("links")
        assert links is not None
        rows = [line.split("\t") for line in str(links.children[0]).strip().splitlines()]
        return {note: link for link, note in rows}

    def pseudonyms(self) -> dict[str, str]:
        rows = self.browser.open(f"{HOME}people/").table("Username", "Pseudonym")
        return {row["Username"]: row["Pseudonym"] for row in rows}

    def pool(self, material: Material) -> Page:
        page = self.browser.open(f"{HOME}pools/runs")
        chosen: dict[str, Value] = {
            "name": "tops",
            "runs": tags(page),
            "depth": material.depth,
            "topics": "listed",
            "numbers": " ".join(material.numbers),
        }
        counted = self.browser.press(page, "Count", **chosen)
        pool = self.browser.press(counted, "Create the pool")
        assert f"{pool.figures()['Pairs']} pairs in {pool.figures()['Topics']} topics" in counted.words
        return pool

    def draft_batch(self, *, annotators: Sequence[str], gold_share: int, seed: int) -> Page:
        """The form of a new batch; what comes is its dry run."""
        page = self.browser.open(self.browser.open(f"{HOME}batches/").link("New batch"))
        return self.browser.press(
            page,
            "Go on to the dry run",
            name="first",
            pool="tops",
            annotators=annotators,
            judgments_per_item=3,
            gold_share=gold_share,
            minimum_seconds=0,
            session_minutes=30,
            break_minutes=10,
            seed=seed,
        )

    def lay_out(self, dry_run: Page) -> tuple[Page, Page]:
        """The job that has done it, and the batch."""
        job = self.browser.press(dry_run, "Lay out")
        work()
        done = self.browser.open(job.address)
        return done, self.browser.open(done.link("See the batch"))

    def freeze(self, name: str) -> tuple[Page, Page]:
        """From the quality page over the preview: the preview and the frozen snapshot."""
        quality = self.browser.open(f"{HOME}quality/")
        preview = self.browser.open(quality.link("Freeze a snapshot of this"))
        button = next(each.words for each in preview.tree.all("button") if each.words.startswith("Freeze "))
        job = self.browser.press(preview, button, name=name)
        work()
        return preview, self.browser.open(self.browser.open(job.address).link("See the snapshot"))

    def evaluate(self, snapshot: str) -> dict[str, float]:
        """Evaluate all runs against a snapshot: tag → nDCG@10 as the CSV gives it, and as the page shows it."""
        page = self.browser.open(f"{HOME}leaderboard/evaluate?snapshot={snapshot}")
        page = self.browser.press(page, "Evaluate")
        work()
        page = self.browser.open(page.address)
        rows = csv.DictReader(StringIO(self.browser.download(page.link("means as CSV")).decode()))
        values = {row["run"]: float(row["nDCG@10"]) for row in rows}
        shown = {row["Run"]: row["nDCG@10"] for row in page.table("Run", "nDCG@10")}
        assert shown.keys() == values.keys()
        for tag, value in values.items():
            assert shown[tag].startswith(f"{value:.4f}"), "the mean; its interval stands beneath"
        return values


def tags(page: Page) -> list[str]:
    """The runs that the form offers."""
    return [each.get("value") for each in page.tree.all("input") if each.get("name") == "runs"]
