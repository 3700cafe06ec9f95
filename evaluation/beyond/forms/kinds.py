"""The forms of this subject by the kind of what they ask."""

from evaluation.beyond.forms.alarms import AlarmsForm
from evaluation.beyond.forms.drift import DriftForm
from evaluation.beyond.forms.interleaving import ClicksForm, PowerForm
from evaluation.beyond.forms.recommendations import RecommendationsForm
from evaluation.beyond.forms.sources import SourcesForm

FORMS: dict[str, type[SourcesForm]] = {
    form.kind: form for form in (RecommendationsForm, AlarmsForm, DriftForm, ClicksForm, PowerForm)
}
