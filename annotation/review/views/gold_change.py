"""Setting, correcting and withdrawing a pair of gold: first whom it touches, then the deed."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.text import capfirst
from django.views.decorators.http import require_http_methods, require_POST

from annotation.gold.read.current import GoldChange, gold_as_entered, pair_in_words
from annotation.gold.steps.events import GoldError
from annotation.kernel.access import ADMIN, collection_for
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.models import Collection
from annotation.review.forms.gold import GoldForm, WithdrawForm
from annotation.review.forms.gold_change import ConfirmForm, freed_in_words
from annotation.review.steps.gold_changes import GoldChanged, change_gold
from annotation.trust.read.gold_effect import Effect, effect_of

ENTERED = ("number", "docno", "grade", "accept")


@login_required
@require_http_methods(["GET", "POST"])
def gold_set(request: Request, slug: str) -> HttpResponse:
    """Set or correct one pair by hand; `?number=…&docno=…` fills the pair in, with what it is now if it is gold, and
    `grade=…` or `accept=…` with what it shall be."""
    collection = collection_for(request.user, slug, ADMIN)
    form = GoldForm(
        request.POST or None,
        collection=collection,
        initial=gold_as_entered(collection, **{name: request.GET.get(name, "") for name in ENTERED}),
    )
    if request.method == "POST" and form.is_valid():
        entered = form.cleaned_data
        names = ("topic", "document", "grade", "reason", "explanation")
        change = GoldChange(**{name: entered[name] for name in names}, accepted=tuple(entered["accepted"]))
        return _change(request, collection, form, change)
    status = 422 if form.errors else 200
    return render_page(
        request, "annotation/review/gold_set.html", collection=collection, section="gold", form=form, status=status
    )


@login_required
@require_POST
def gold_withdraw(request: Request, slug: str) -> HttpResponse:
    collection = collection_for(request.user, slug, ADMIN)
    form = WithdrawForm(request.POST, collection=collection)
    if not form.is_valid():
        messages.error(request, "Give a reason, and a pair that the collection has.")
        return redirect("gold", slug=slug)
    entered = form.cleaned_data
    change = GoldChange(entered["topic"], entered["document"], None, reason=entered["reason"])
    return _change(request, collection, form, change)


def confirmation(request: Request, effect: Effect) -> ConfirmForm:
    """As it was sent, or still to be answered."""
    freed = [(person.pseudonym, freed_in_words(person)) for person in effect.freed]
    return ConfirmForm(request.POST if "confirmed" in request.POST else None, freed=freed, last_event=effect.last_event)


def ask_first(
    request: Request,
    form: Form,
    change: GoldChange,
    effect: Effect,
    confirm: ConfirmForm,
    *,
    action: str,
    back: str,
) -> HttpResponse:
    """Whom the change would touch; `form` is sent to `action` again with the answer, or given up for `back`."""
    return render_page(
        request,
        "annotation/review/gold_change.html",
        collection=change.topic.collection,
        section="gold",
        form=form,
        change=change,
        effect=effect,
        confirm=confirm,
        action=action,
        back=back,
    )


def _change(
    request: Request, collection: Collection, form: GoldForm | WithdrawForm, change: GoldChange
) -> HttpResponse:
    """Ask first where anybody is touched; then make the change."""
    effect = effect_of(collection, change)
    confirm = confirmation(request, effect)
    if not effect.is_nothing and not confirm.is_valid():
        here = {"slug": collection.slug}
        action = reverse("gold_withdraw" if change.grade is None else "gold_set", kwargs=here)
        return ask_first(request, form, change, effect, confirm, action=action, back=reverse("gold", kwargs=here))
    answers = confirm.cleaned_data if confirm.is_bound else {}
    try:
        done = change_gold(
            collection,
            change,
            effect=effect,
            seen=answers.get("seen"),
            bring_back=answers.get("bring_back", ()),
            actor=request.user,
        )
    except GoldError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, done_in_words(change, done))
    return redirect("gold", slug=collection.slug)


def done_in_words(change: GoldChange, done: GoldChanged) -> str:
    pair = pair_in_words(change.topic, change.document)
    message = f"{capfirst(pair)} is gold no more." if change.grade is None else f"Gold for {pair} is set."
    n = done.effect.n_rescored
    if n:
        message += f" {n} judgment{' is' if n == 1 else 's are'} scored anew."
    if done.brought_back:
        message += f" Brought back: {', '.join(done.brought_back)}."
    return message
