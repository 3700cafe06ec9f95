"""One collection: what it is, and the subjects in it."""

from typing import Unpack

from touchstone.client.ab_tests import ABTests
from touchstone.client.batches import Batches
from touchstone.client.beyond import Descriptions
from touchstone.client.clicks import Clicks
from touchstone.client.corpus import Documents, GuidelinePart, InformationPart, Pools, ScalePart, Topics
from touchstone.client.exchange import Bundles, Imports, Judgments
from touchstone.client.experiments import Experiments
from touchstone.client.gold import GoldPart, Objections, Qualifications
from touchstone.client.jobs import Job, job_of
from touchstone.client.outgoing import OutgoingPart
from touchstone.client.parts import Part
from touchstone.client.people import Invitations, People
from touchstone.client.runs import Accountings, Evaluations, Reports, Runs, SensitivityPart, Snapshots
from touchstone.client.schema.batches import Replacements
from touchstone.client.schema.exchange import Deleted
from touchstone.client.schema.home import Collection as CollectionAnswer
from touchstone.client.schema.home import PatchedDescriptionEntriesRequest
from touchstone.client.schema.trust import Quality, QualityQuery
from touchstone.client.series import SeriesPart
from touchstone.client.trust import Alerts, Annotators, Contested, PausingPart, Policies, Watch
from touchstone.client.vectors import Vectors
from touchstone.client.views import Views
from touchstone.client.wire import Wire, address


class Collection(Part):
    """The collection of this short name; nothing is asked for until a method is called."""

    def __init__(self, wire: Wire, slug: str) -> None:
        super().__init__(wire, f"collections/{address(slug)}")
        self.slug = slug
        self.scale = ScalePart(wire, self._at("scale"))
        self.guideline = GuidelinePart(wire, self._at("guideline"))
        self.information = InformationPart(wire, self._at("information"))
        self.people = People(wire, self._at("people"))
        self.invitations = Invitations(wire, self._at("invitations"))
        self.imports = Imports(wire, self._at("imports"))
        self.topics = Topics(wire, self._at("topics"))
        self.documents = Documents(wire, self._at("documents"))
        self.pools = Pools(wire, self._at("pools"))
        self.gold = GoldPart(wire, self._at("gold"))
        self.objections = Objections(wire, self._at("gold", "objections"))
        self.qualifications = Qualifications(wire, self._at("qualifications"))
        self.batches = Batches(wire, self._at("batches"))
        self.annotators = Annotators(wire, self._at("annotators"))
        self.policies = Policies(wire, self._at("policies"))
        self.alerts = Alerts(wire, self._at("alerts"))
        self.pausing = PausingPart(wire, self._at("pausing"))
        self.watch = Watch(wire, self._at("watch"))
        self.contested = Contested(wire, self._at("contested"))
        self.snapshots = Snapshots(wire, self._at("snapshots"))
        self.accounting = Accountings(wire, self._at("accounting"))
        self.sensitivity = SensitivityPart(wire, self._at("sensitivity"))
        self.runs = Runs(wire, self._at())
        self.vectors = Vectors(wire, self._at())
        self.evaluations = Evaluations(wire, self._at("evaluations"))
        self.reports = Reports(wire, self._at("reports"))
        self.clicks = Clicks(wire, self._at("clicks"))
        self.experiments = Experiments(wire, self._at("experiments"))
        self.ab_tests = ABTests(wire, self._at("ab-tests"))
        self.outgoing = OutgoingPart(wire, self._at())
        self.descriptions = Descriptions(wire, self._at())
        self.series = SeriesPart(wire, self._at("series"))
        self.judgments = Judgments(wire, self._at("judgments"))
        self.bundles = Bundles(wire, self._at("bundles"))
        self.views = Views(wire, self._at("views"))

    def read(self) -> CollectionAnswer:
        """Its scale, how much it holds, your roles."""
        return self._get(CollectionAnswer)

    def change(self, **entries: Unpack[PatchedDescriptionEntriesRequest]) -> CollectionAnswer:
        return self._patch(CollectionAnswer, body=entries)

    def delete(self, *, name: str) -> Job:
        """While nobody has worked in it; its name confirms it."""
        return job_of(self._wire, self._post(Deleted, "delete", body={"name": name}))

    def quality(self, **query: Unpack[QualityQuery]) -> Quality:
        """How far people agree, and what the policy keeps and drops."""
        return self._get(Quality, "quality", query=query)

    def replacements(self) -> Replacements:
        """Judgments missing since somebody was excluded, and what was added; `batches.replace` adds them."""
        return self._get(Replacements, "replacements")
