"""One's own account: password, preferences, one-time links, API tokens, signing out. Signing in is Django's own."""

from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.contrib.auth.views import LogoutView
from django.forms import model_to_dict
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from annotation.kernel.api_tokens import api_tokens_of, last_moment, make_api_token, revoke_api_token
from annotation.kernel.page import render_page
from annotation.kernel.request import Request
from annotation.models import SignInLink
from annotation.people.forms import ApiTokenForm, PreferencesForm
from annotation.people.steps.accounts import LinkGoneError, live_link, set_password, use_password_link, use_sign_in_link
from annotation.people.steps.preferences import save_preferences

BACKEND = "django.contrib.auth.backends.ModelBackend"


class SignOut(LogoutView):
    """Has the browser forget what it keeps. Not its storage: grades that wait for a connection lie there."""

    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        response = super().post(request, *args, **kwargs)
        response.headers["Clear-Site-Data"] = '"cache"'
        return response


@sensitive_post_parameters()
@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def password_change(request: Request) -> HttpResponse:
    """Asks for the old password, unless the account has none yet (it was made by a command and came in by a link)."""
    form_class = PasswordChangeForm if request.user.has_usable_password() else SetPasswordForm
    form = form_class(request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        set_password(request.user, password=form.cleaned_data["new_password1"])
        update_session_auth_hash(request, request.user)
        messages.success(
            request, "Your password is changed. Other sessions of yours have ended, and so have your API tokens."
        )
        return redirect("home")
    return render_page(request, "registration/password_change.html", form=form)


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def preferences(request: Request) -> HttpResponse:
    form = PreferencesForm(request.POST or None, initial=model_to_dict(request.user, PreferencesForm.base_fields))
    if request.method == "POST" and form.is_valid():
        save_preferences(request.user, **form.cleaned_data)
        messages.success(request, "Saved. Pages look so from now on, wherever you sign in.")
        return redirect("preferences")
    return render_page(request, "annotation/people/preferences.html", form=form)


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "POST"])
def password_link(request: HttpRequest, secret: str) -> HttpResponse:
    link = live_link(secret, SignInLink.Purpose.PASSWORD)
    if link is None:
        return link_gone(request)
    form = SetPasswordForm(link.user, request.POST or None)
    if request.method == "GET" or not form.is_valid():
        return render_page(request, "registration/password_link.html", form=form, person=link.user)
    try:
        person = use_password_link(secret, password=form.cleaned_data["new_password1"])
    except LinkGoneError:
        return link_gone(request)
    login(request, person, backend=BACKEND)
    messages.success(request, "Your new password is set, and you are signed in.")
    return redirect("home")


@never_cache
@require_http_methods(["GET", "POST"])
def sign_in_link(request: HttpRequest, secret: str) -> HttpResponse:
    """A GET shows a button only: programs that look at links in messages must not use them up."""
    link = live_link(secret, SignInLink.Purpose.SIGN_IN)
    if link is None:
        return link_gone(request)
    if request.method == "GET":
        return render_page(request, "annotation/people/sign_in_link.html", person=link.user)
    try:
        person = use_sign_in_link(secret)
    except LinkGoneError:
        return link_gone(request)
    login(request, person, backend=BACKEND)
    return redirect("home")


def link_gone(request: HttpRequest) -> HttpResponse:
    """The one answer to every link that does not work, whatever the reason."""
    return render_page(request, "registration/link_gone.html", status=404)


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def api_tokens(request: Request) -> HttpResponse:
    """A POST answers with the page itself, as nowhere else: the token is shown once and kept nowhere."""
    form = ApiTokenForm(request.POST or None)
    secret = ""
    if request.method == "POST" and form.is_valid():
        days = form.cleaned_data.pop("days")
        secret = make_api_token(request.user, **form.cleaned_data, expires_at=last_moment(days))
        form = ApiTokenForm()
    tokens = api_tokens_of(request.user)
    return render_page(request, "annotation/people/api_tokens.html", form=form, secret=secret, tokens=tokens)


@login_required
@require_POST
def api_token_revoke(request: Request, prefix: str) -> HttpResponse:
    if revoke_api_token(request.user, prefix=prefix):
        messages.success(request, f"The token {prefix}… is revoked. Whatever used it is refused from now on.")
    else:
        messages.warning(request, "You have no such token any more.")
    return redirect("api_tokens")
