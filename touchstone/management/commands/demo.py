"""The demo collection, and the links that let one in."""

import argparse

from django.core.management.base import BaseCommand
from django.urls import reverse

from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Collection, User
from annotation.people.steps import make_sign_in_link
from touchstone.demo.building import SLUG, build_demo
from touchstone.demo.people import VISITORS


class Command(BaseCommand):
    help = "Make the demo collection if it is not there yet, and print one-time sign-in links for its people."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--url", default="http://127.0.0.1:8000", help="where the app answers (default: %(default)s)"
        )

    def handle(self, *, url: str, **_options: object) -> None:
        if Collection.objects.filter(slug=SLUG).exists():
            self.stdout.write("The demo collection is there already; its data stay as they are.")
        else:
            self.stdout.write("Making the demo collection (half a minute) ...")
            self.stdout.flush()
            build_demo()
            while job := claim_job():
                run_job(job)
        self.stdout.write(f"\nTouchstone demo: {url}/\nOne-time sign-in links, each for one person:\n")
        for user in User.objects.filter(username__in=VISITORS).order_by("id"):
            path = reverse("sign_in_link", args=[make_sign_in_link(user)])
            self.stdout.write(f"  {user.username:<18} {url}{path}")
        self.stdout.write("")
