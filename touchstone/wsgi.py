"""The entry point for gunicorn: `touchstone.wsgi:application`."""

import gc
import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver
from django.utils.module_loading import import_string

from annotation.kernel.memory import giving_back
from touchstone.charset import readable_types
from touchstone.checks import refuse_unsafe
from touchstone.lock_wait import wait_as_web_server
from touchstone.uploads import whole_bodies

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "touchstone.settings")
wait_as_web_server()
application = giving_back(
    readable_types(whole_bodies(get_wsgi_application())),
    let_go=import_string("annotation.kernel.results.stored.let_go_unread"),  # there once Django is set up
)
refuse_unsafe()
_ = get_resolver().url_patterns  # loads all that answers: else whoever asks first waits for it
gc.freeze()  # for good, in memory that all web processes share: it need not be looked through again and again
