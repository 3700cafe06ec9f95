"""The addresses of this subject, of pages and of the API."""

from django.urls import URLPattern, path

from annotation.kernel.api.page import COLLECTION as C
from annotation.review.api import contested as api_contested
from annotation.review.api import gold as api_gold
from annotation.review.api import objections as api_objections
from annotation.review.api import sending as api_sending
from annotation.review.views import adjudication, appeals, gold, gold_change, gold_reports, hubs, sending

urlpatterns: list[URLPattern] = [
    path("c/<slug:slug>/topics/<path:number>", hubs.topic, name="topic"),
    path("c/<slug:slug>/documents/<path:docno>", hubs.document, name="document"),
    path("c/<slug:slug>/gold/", gold.gold, name="gold"),
    path("c/<slug:slug>/gold/suspects", gold_reports.gold_suspects, name="gold_suspects"),
    path("c/<slug:slug>/gold/supply", gold_reports.gold_supply, name="gold_supply"),
    path("c/<slug:slug>/gold/gold.csv", gold_reports.gold_csv, name="gold_csv"),
    path("c/<slug:slug>/gold/objections.csv", appeals.gold_appeals_csv, name="gold_appeals_csv"),
    path("c/<slug:slug>/gold/<slug:table>.csv", gold_reports.gold_table_csv, name="gold_table_csv"),
    path("c/<slug:slug>/gold/objections/", appeals.gold_appeals, name="gold_appeals"),
    path("c/<slug:slug>/gold/objections/<str:token>", appeals.gold_appeal, name="gold_appeal"),
    path("c/<slug:slug>/gold/set", gold_change.gold_set, name="gold_set"),
    path("c/<slug:slug>/gold/withdraw", gold_change.gold_withdraw, name="gold_withdraw"),
    path("c/<slug:slug>/gold/file", gold.gold_file, name="gold_file"),
    path("c/<slug:slug>/gold/qrels", gold.gold_snapshot, name="gold_snapshot"),
    path("c/<slug:slug>/quality/pair", adjudication.adjudicate, name="adjudicate"),
    path("c/<slug:slug>/quality/pair/open", adjudication.adjudicate_open, name="adjudicate_open"),
    path("c/<slug:slug>/quality/pair/blind", adjudication.adjudicate_blind, name="adjudicate_blind"),
    path("c/<slug:slug>/quality/pair/look", adjudication.adjudicate_look, name="adjudicate_look"),
    path("c/<slug:slug>/quality/pair/leave", adjudication.adjudicate_leave, name="adjudicate_leave"),
    path("c/<slug:slug>/quality/pair/withdraw", adjudication.adjudicate_withdraw, name="adjudicate_withdraw"),
    path("c/<slug:slug>/quality/contested/", adjudication.adjudication, name="adjudication"),
    path("c/<slug:slug>/quality/contested/send", sending.adjudication_send, name="adjudication_send"),
    path("c/<slug:slug>/quality/contested/next", adjudication.adjudication_next, name="adjudication_next"),
    path("c/<slug:slug>/quality/contested/decisions.csv", adjudication.adjudications_csv, name="adjudications_csv"),
    path("c/<slug:slug>/quality/contested/<slug:table>.csv", adjudication.adjudication_csv, name="adjudication_csv"),
    path(f"{C}/contested", api_contested.ContestedPairs.as_view(), name="api_contested"),
    path(f"{C}/contested/decisions", api_contested.Decisions.as_view(), name="api_decisions"),
    path(f"{C}/contested/next", api_contested.PairNext.as_view(), name="api_pair_next"),
    path(f"{C}/contested/send", api_sending.SendPairs.as_view(), name="api_pairs_send"),
    path(f"{C}/contested/pair", api_contested.OnePair.as_view(), name="api_pair"),
    path(f"{C}/contested/pair/open", api_contested.PairOpen.as_view(), name="api_pair_open"),
    path(f"{C}/contested/pair/blind", api_contested.PairBlind.as_view(), name="api_pair_blind"),
    path(f"{C}/contested/pair/look", api_contested.PairLook.as_view(), name="api_pair_look"),
    path(f"{C}/contested/pair/leave", api_contested.PairLeave.as_view(), name="api_pair_leave"),
    path(f"{C}/contested/pair/decide", api_contested.PairDecide.as_view(), name="api_pair_decide"),
    path(f"{C}/contested/pair/withdraw", api_contested.PairWithdraw.as_view(), name="api_pair_withdraw"),
    path(f"{C}/gold/set", api_gold.GoldSet.as_view(), name="api_gold_set"),
    path(f"{C}/gold/withdraw", api_gold.GoldWithdraw.as_view(), name="api_gold_withdraw"),
    path(f"{C}/gold/qrels", api_gold.GoldFromQrels.as_view(), name="api_gold_from_qrels"),
    path(f"{C}/gold/objections", api_objections.Objections.as_view(), name="api_objections"),
    path(f"{C}/gold/objections/<slug:token>", api_objections.OneObjection.as_view(), name="api_objection"),
]
