"""Scores of a detector, with what each row truly was."""

from collections.abc import Mapping
from typing import Any

from django import forms

from annotation.kernel.forms import set_choices
from evaluation.beyond.forms.sources import NONE, TABLE, SourcesForm, choice_field, file_field, number_field
from evaluation.beyond.steps.asking import Source
from evaluation.engine.beyond.alarm_description import FALSE_RATE
from evaluation.engine.beyond.detectors import NEIGHBOURS
from evaluation.formats.log.alarms import MEANINGS
from evaluation.models import Description


class AlarmsForm(SourcesForm):
    """Scores of a detector, with what each row truly was."""

    kind = Description.Kind.ALARMS
    options = ("false_rate", "threshold", "false_alarm", "miss")

    scores = file_field("Scores", f"{TABLE}: score, positive (0 or 1); time and event as wanted.")
    columns = forms.CharField(
        required=False,
        max_length=1000,
        label="Columns of other names",
        help_text="As positive=is_chargeback, score=p.",
    )
    run = choice_field("or a run of the collection", "Its scores; with the anomalies among its documents.")
    vectors = choice_field("or vectors", "Suspect is what lies far from all others; with the anomalies among them.")
    anomalies = file_field("Anomalies among items", f"{TABLE}: item, positive (0 or 1).")
    neighbour = forms.IntegerField(
        min_value=1, max_value=1000, initial=NEIGHBOURS, label="Of vectors: distance to which neighbour"
    )
    false_rate = number_field(
        "Rate of false alarms", "At most.", required=True, initial=FALSE_RATE, min_value=0, max_value=0.999
    )
    threshold = number_field(
        "Alarm above", "For cost and time to detection; empty: the threshold of that rate is drawn."
    )
    false_alarm = number_field("A false alarm costs", "With the next one.", min_value=0)
    miss = number_field("A miss costs", "Both need a threshold.", min_value=0)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_choices(self, "run", [NONE, *((tag, tag) for tag in self.stored_runs)])
        set_choices(self, "vectors", [NONE, *((name, name) for name in self.stored_sets)])

    def clean_columns(self) -> dict[str, str]:
        names = [meaning.name for meaning in MEANINGS]
        chosen = {}
        for pair in filter(str.strip, self.cleaned_data["columns"].split(",")):
            meaning, sign, column = (part.strip() for part in pair.partition("="))
            if not sign or meaning not in names or not column:
                raise forms.ValidationError(f"{pair.strip()}: one of {', '.join(names)}, an equals sign, a column.")
            chosen[meaning] = column
        return chosen

    def clean(self) -> None:
        super().clean()
        chosen = self.has("scores", "run", "vectors")
        if len(chosen) != 1:
            self.add_error("scores", "One of the three: a file of scores, a run, or vectors.")
        elif (chosen == ["scores"]) == bool(self.has("anomalies")):
            reason = "Of a run or vectors alone: a file of scores says it itself." if self.has("anomalies") else ""
            self.add_error("anomalies", reason or "Say which items are anomalies.")

    def sources(self) -> Mapping[str, Source | None]:
        return {
            "scores": self.file("scores"),
            "run": self.stored_run("run"),
            "vectors": self.stored_vectors("vectors"),
            "anomalies": self.file("anomalies"),
        }

    def chosen_options(self) -> dict[str, Any]:
        options = super().chosen_options()
        if columns := self.cleaned_data["columns"]:
            options["columns"] = columns
        if self.has("vectors"):
            options["neighbour"] = self.cleaned_data["neighbour"]
        return options
