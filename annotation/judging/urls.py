"""The addresses of judging. What is asked for most comes first: addresses are looked for in this order."""

from django.urls import URLPattern, URLResolver, include, path

from annotation.judging.views import judge, judge_document, judge_gates, judge_keys, judge_qualify, own_work

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
]
