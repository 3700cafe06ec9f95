"""The entry point for gunicorn: `touchstone.wsgi:application`."""

import os

from django.core.wsgi import get_wsgi_application

from touchstone.checks import refuse_unsafe
from touchstone.uploads import whole_bodies

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "touchstone.settings")
application = whole_bodies(get_wsgi_application())
refuse_unsafe()
