"""The addresses of judging. What is asked for most comes first: addresses are looked for in this order."""

from django.urls import URLPattern, URLResolver, include, path

from annotation.judging.api import gates as api_gates
from annotation.judging.api import judge as api_judge
from annotation.judging.api import own_choices as api_own_choices
from annotation.judging.api import own_work as api_own_work
from annotation.judging.api import qualifying as api_qualifying
from annotation.judging.views import judge, judge_document, judge_gates, judge_keys, judge_qualify, own_work

J, WORK = "api/v1/judging", "api/v1/work"

_desk: list[URLPattern | URLResolver] = [
    path("", judge.judge, name="judge"),
    path("start", judge.judge_start, name="judge_start"),
    path("grade", judge.judge_grade, name="judge_grade"),
    path("skip", judge.judge_skip, name="judge_skip"),
    path("later", judge.judge_later, name="judge_later"),
    path("undo", judge.judge_undo, name="judge_undo"),
    path("keep", judge.judge_keep, name="judge_keep"),
    path("consent", judge_gates.judge_consent, name="judge_consent"),
    path("decline", judge_gates.judge_decline, name="judge_decline"),
    path("acknowledge", judge_gates.judge_acknowledge, name="judge_acknowledge"),
    path("qualify", judge_qualify.judge_qualify, name="judge_qualify"),
    path("qualify/begin", judge_qualify.judge_qualify_begin, name="judge_qualify_begin"),
    path("qualify/<str:item>", judge_qualify.judge_qualify_pair, name="judge_qualify_pair"),
    path("heartbeat", judge.judge_heartbeat, name="judge_heartbeat"),
    path("release", judge.judge_release, name="judge_release"),
    path("recent", judge.judge_recent, name="judge_recent"),
    path("document", judge_document.judge_document, name="judge_document"),
    path("choices", judge_document.judge_choices, name="judge_choices"),
    path("terms", judge_document.judge_terms, name="judge_terms"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("judge/<str:token>/", include(_desk)),
    path("judging/keys", judge_keys.judge_keys, name="judge_keys"),
    path("work/", own_work.own_work, name="own_work"),
    path("work/<str:token>/", own_work.own_results, name="own_results"),
    path("work/<str:token>/read", own_work.own_results_read, name="own_results_read"),
    path("work/<str:token>/<str:result>", own_work.own_result, name="own_result"),
    path("work/<str:token>/<str:result>/object", own_work.own_object, name="own_object"),
    path(J, api_judge.Judging.as_view(), name="api_judging"),
    path(f"{J}/<slug:token>", api_judge.Judge.as_view(), name="api_judge"),
    path(f"{J}/<slug:token>/next", api_judge.JudgeNext.as_view(), name="api_judge_next"),
    path(f"{J}/<slug:token>/grade", api_judge.JudgeGrade.as_view(), name="api_judge_grade"),
    path(f"{J}/<slug:token>/skip", api_judge.JudgeSkip.as_view(), name="api_judge_skip"),
    path(f"{J}/<slug:token>/later", api_judge.JudgeLater.as_view(), name="api_judge_later"),
    path(f"{J}/<slug:token>/undo", api_judge.JudgeUndo.as_view(), name="api_judge_undo"),
    path(f"{J}/<slug:token>/keep", api_judge.JudgeKeep.as_view(), name="api_judge_keep"),
    path(f"{J}/<slug:token>/heartbeat", api_judge.JudgeHeartbeat.as_view(), name="api_judge_heartbeat"),
    path(f"{J}/<slug:token>/release", api_judge.JudgeRelease.as_view(), name="api_judge_release"),
    path(f"{J}/<slug:token>/recent", api_judge.JudgeRecent.as_view(), name="api_judge_recent"),
    path(f"{J}/<slug:token>/document", api_gates.JudgeDocument.as_view(), name="api_judge_document"),
    path(f"{J}/<slug:token>/terms", api_own_choices.JudgeTerms.as_view(), name="api_judge_terms"),
    path(f"{J}/<slug:token>/information", api_gates.JudgeInformation.as_view(), name="api_judge_information"),
    path(f"{J}/<slug:token>/consent", api_gates.JudgeConsent.as_view(), name="api_judge_consent"),
    path(f"{J}/<slug:token>/decline", api_gates.JudgeDecline.as_view(), name="api_judge_decline"),
    path(f"{J}/<slug:token>/guideline", api_gates.JudgeGuideline.as_view(), name="api_judge_guideline"),
    path(f"{J}/<slug:token>/acknowledge", api_gates.JudgeAcknowledge.as_view(), name="api_judge_acknowledge"),
    path(f"{J}/<slug:token>/qualification", api_qualifying.JudgeQualification.as_view(), name="api_judge_qualify"),
    path(
        f"{J}/<slug:token>/qualification/begin",
        api_qualifying.JudgeQualificationBegin.as_view(),
        name="api_judge_qualify_begin",
    ),
    path(
        f"{J}/<slug:token>/qualification/pairs/<slug:item>",
        api_qualifying.JudgeQualificationPair.as_view(),
        name="api_judge_qualify_pair",
    ),
    path("api/v1/judging-choices", api_own_choices.JudgeChoices.as_view(), name="api_judge_choices"),
    path(WORK, api_own_work.OwnWorkAddress.as_view(), name="api_own_work"),
    path(f"{WORK}/<slug:token>", api_own_work.OwnResults.as_view(), name="api_own_results"),
    path(f"{WORK}/<slug:token>/read", api_own_work.OwnResultsRead.as_view(), name="api_own_results_read"),
    path(f"{WORK}/<slug:token>/results/<slug:result>", api_own_work.OwnResult.as_view(), name="api_own_result"),
    path(f"{WORK}/<slug:token>/results/<slug:result>/object", api_own_work.OwnObject.as_view(), name="api_own_object"),
]
