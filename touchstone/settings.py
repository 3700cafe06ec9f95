"""Settings. What an installation may change comes from the environment; docs/deployment.md lists it."""

from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

import environ
from csp.constants import NONE, SELF

from touchstone import __version__, places, secret
from touchstone.lock_wait import CHOSEN, ELSEWHERE, pragmas, wait_at_most
from touchstone.parts import (  # noqa: F401 -- taken over as they are
    TOUCHSTONE_BUNDLE_PARTS,
    TOUCHSTONE_COUNTS,
    TOUCHSTONE_FIGURES,
    TOUCHSTONE_FINDERS,
    TOUCHSTONE_IMPORTERS,
    TOUCHSTONE_JOB_WORDS,
    TOUCHSTONE_JOBS,
    TOUCHSTONE_RESULTS,
    TOUCHSTONE_STEPS_DONE,
    TOUCHSTONE_SWEEPS,
    TOUCHSTONE_TOLD,
    TOUCHSTONE_WAITING,
)

env = environ.Env()
if (places.HOME / ".env").exists():
    env.read_env(places.HOME / ".env")  # the real environment wins

# Where this installation keeps what it makes: database, key, files, collected static files.
TOUCHSTONE_VAR = places.RELATIVE_TO / (env.str("TOUCHSTONE_VAR", default="") or places.VAR)
TOUCHSTONE_FILES = TOUCHSTONE_VAR / env.str("TOUCHSTONE_FILES", default="files")
TOUCHSTONE_S3 = {  # object storage for the files; without a bucket they stay in the folder
    "name": env.str("TOUCHSTONE_S3_BUCKET", default=""),
    "endpoint": env.str("TOUCHSTONE_S3_ENDPOINT", default=""),
    "region": env.str("TOUCHSTONE_S3_REGION", default="us-east-1"),
    "key_id": env.str("TOUCHSTONE_S3_KEY_ID", default=""),
    "secret": env.str("TOUCHSTONE_S3_SECRET", default=""),
}
TOUCHSTONE_UPLOAD_LIMIT = env.int("TOUCHSTONE_UPLOAD_LIMIT", default=1 << 30)  # bytes of all files in a request
TOUCHSTONE_ADDRESS = env.str("TOUCHSTONE_ADDRESS", default="").rstrip("/")  # in links that messages and commands name
TOUCHSTONE_HTTPS = env.bool("TOUCHSTONE_HTTPS", default=False)
TOUCHSTONE_PROXIES = env.int("TOUCHSTONE_PROXIES", default=0)  # trusted reverse proxies in front

DEBUG = env.bool("TOUCHSTONE_DEBUG", default=False)
SECRET_KEY = env.str("TOUCHSTONE_SECRET_KEY", default="") or secret.read_or_make(TOUCHSTONE_VAR / "secret_key")
ALLOWED_HOSTS = env.list("TOUCHSTONE_ALLOWED_HOSTS", default=["127.0.0.1", "localhost"])

INSTALLED_APPS = [
    "annotation.apps.AnnotationConfig",
    "evaluation.apps.EvaluationConfig",
    "touchstone.apps.TouchstoneConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "django_htmx",
    "csp",
    "axes",
]

MIDDLEWARE = [
    "touchstone.requests.RequestLog",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "annotation.kernel.middleware.KeepNothing",
    "touchstone.charset.OnlyUtf8",
    "annotation.kernel.middleware.RefuseNul",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "annotation.kernel.middleware.FragmentSignIn",
    "annotation.kernel.middleware.ReadersZone",
    "annotation.kernel.showing.SayAsOf",
    "annotation.kernel.results.unmade.AnswerMeanwhile",
    "touchstone.uploads.WithinTheLimit",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "touchstone.urls"
WSGI_APPLICATION = "touchstone.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [places.PAGES / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.tz",
                "annotation.kernel.notices.inbox",
            ],
            "builtins": ["annotation.templatetags.assets"],
        },
    },
]

FORM_RENDERER = "touchstone.forms.FormRenderer"

# --- Database -------------------------------------------------------------------------------------------------------

_SQLITE_FILE = TOUCHSTONE_VAR / "touchstone.sqlite3"
_SQLITE_OPTIONS: dict[str, Any] = {
    "transaction_mode": "IMMEDIATE",
    "init_command": pragmas(ELSEWHERE),
}


def _database() -> dict[str, Any]:
    """The database that DATABASE_URL names, with what each kind needs to be safe and quick."""
    url = env.str("DATABASE_URL", default="") or f"sqlite:///{quote(str(_SQLITE_FILE))}"
    database: dict[str, Any] = env.db_url_config(url)
    if database["ENGINE"] == "django.db.backends.sqlite3":
        if database["NAME"] != ":memory:":
            database["NAME"] = str(places.RELATIVE_TO / database["NAME"])
            Path(database["NAME"]).parent.mkdir(parents=True, exist_ok=True)
        database["OPTIONS"] = {**_SQLITE_OPTIONS, **database.get("OPTIONS", {})}
        database["CONN_MAX_AGE"] = 60  # opening the file and its PRAGMAs cost more than a judgment
    elif database["ENGINE"] == "django.db.backends.postgresql":
        database.update(CONN_MAX_AGE=60, CONN_HEALTH_CHECKS=True)
    else:
        raise ValueError("DATABASE_URL must begin with sqlite:// or postgres://")
    if CHOSEN in env:
        wait_at_most(database, env.float(CHOSEN))
    return database


DATABASES = {"default": _database()}

# --- Accounts -------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "annotation.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "login"

# How many wrong passwords are borne in a quarter of an hour, touchstone/sign_in_limits.py says.
AXES_HANDLER = "touchstone.sign_in_limits.SignInLimits"
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"], "ip_address", "username"]
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_CLIENT_IP_CALLABLE = "touchstone.proxy.client_address"
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_TEMPLATE = "registration/locked_out.html"
AXES_ENABLE_ADMIN = False

# --- What a browser is told -----------------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    },
}
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_ENGINE = "touchstone.sessions"
# A session ends when it was not used for so long, and two weeks after it began.
SESSION_COOKIE_AGE = env.int("TOUCHSTONE_IDLE_HOURS", default=24) * 3600
SESSION_COOKIE_NAME = "touchstone_session"
CSRF_COOKIE_NAME = "touchstone_csrf"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = TOUCHSTONE_HTTPS
if TOUCHSTONE_HTTPS:
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    CSRF_TRUSTED_ORIGINS = [f"https://{'*' if host.startswith('.') else ''}{host}" for host in ALLOWED_HOSTS]
    if TOUCHSTONE_PROXIES:
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
        SECURE_SSL_REDIRECT = True
        SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz)$"]  # asked from inside, without the proxy
# Whether other names under ours keep to HTTPS, and what browsers ship with, is for those who own the domain to say.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

# --- Files ----------------------------------------------------------------------------------------------------------

STATIC_URL = "static/"
STATIC_ROOT = TOUCHSTONE_VAR / "static"
STATICFILES_DIRS = [places.PAGES / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "touchstone.static_files.UsedFiles",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "touchstone.static_files.HashedStaticFiles"},
}
FILE_UPLOAD_HANDLERS = ["touchstone.uploads.IntoTheStore"]
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 << 20  # a form without its files; a batch form lists every topic
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5000
DATA_UPLOAD_MAX_NUMBER_FILES = 50

# --- Language and time ----------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en-gb"
USE_I18N = False
TIME_ZONE = "UTC"
USE_TZ = True

# --- Messages that go out: to nobody, unless the operator names where they may go -----------------------------------

# Webhooks: names of hosts, with a port where it is not 443. Those that are private may be at private addresses, too,
# and be reached by plain HTTP.
TOUCHSTONE_WEBHOOK_HOSTS: list[str] = env.list("TOUCHSTONE_WEBHOOK_HOSTS", default=[])
TOUCHSTONE_WEBHOOK_PRIVATE_HOSTS: list[str] = env.list("TOUCHSTONE_WEBHOOK_PRIVATE_HOSTS", default=[])
# Mail: what is behind the @ of addresses, and the server that takes it.
TOUCHSTONE_MAIL_DOMAINS: list[str] = env.list("TOUCHSTONE_MAIL_DOMAINS", default=[])
vars().update(env.email_url("TOUCHSTONE_MAIL_SERVER", default="dummymail://"))
DEFAULT_FROM_EMAIL = env.str("TOUCHSTONE_MAIL_FROM", default="touchstone@localhost")
EMAIL_TIMEOUT = 10

# --- Long work ------------------------------------------------------------------------------------------------------

# A worker that does not renew its lease for so many seconds has lost its job to the next one.
TOUCHSTONE_LEASE = max(1, env.int("TOUCHSTONE_LEASE", default=60))
# Jobs done in a child process of the worker: megabytes it may hold, seconds it may take. The others it does itself.
_TEXTS = (env.int("TOUCHSTONE_IMPORT_MEMORY", default=512), 60 * env.int("TOUCHSTONE_IMPORT_MINUTES", default=60))
_TABLES = (env.int("TOUCHSTONE_TABLE_MEMORY", default=1200), _TEXTS[1])  # sorted in memory as a whole
_LARGE = ("clicks", "collection", "experiment", "qrels", "queries", "run")
TOUCHSTONE_APART: dict[str, tuple[int, int]] = {
    **dict.fromkeys(["check_import", "store_import"], _TEXTS),
    **dict.fromkeys(["check_bundle", "import_bundle", "replay_pooling"], _TABLES),
    **dict.fromkeys(
        [f"{job}_import:{kind}" for job in ("check", "store") for kind in _LARGE],
        _TABLES,
    ),
    **dict.fromkeys(["check_import:vectors", "store_import:vectors", "describe_beyond"], (4 * _TABLES[0], _TABLES[1])),
}

# --- API ------------------------------------------------------------------------------------------------------------

# No throttles: DRF's are not atomic and trust X-Forwarded-For. Limits on requests are the reverse proxy's business.
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "annotation.kernel.api.authentication.BearerToken",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["annotation.kernel.api.defaults.EveryJson"],
    "DEFAULT_PARSER_CLASSES": ["annotation.kernel.api.parsers.StrictJson"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "annotation.kernel.api.defaults.OnlyJson",
    "DEFAULT_PAGINATION_CLASS": "annotation.kernel.api.defaults.Pages",
    "EXCEPTION_HANDLER": "annotation.kernel.api.faults.answer_fault",
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "annotation.kernel.api.schema.SubjectSchema",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Touchstone",
    "DESCRIPTION": "Collections, judging progress, snapshots of qrels, runs and their evaluation.",
    "VERSION": __version__,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,  # a file is bytes where it is sent and an address where it is answered
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.IsAuthenticated"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "annotation.kernel.api.schema.tell_faults",
        "annotation.kernel.api.schema.tell_jobs",
        "annotation.kernel.api.schema.tell_subjects",
    ],
    "ENUM_NAME_OVERRIDES": {
        "BatchState": "annotation.models.Batch.State",
        "ImportState": "annotation.models.Import.State",
        "JobState": "annotation.models.Job.State",
        "QualificationState": "annotation.models.Qualification.State",
        "RolesEnum": "annotation.models.Role",
        "DeskState": "annotation.judging.api.desk_serializers.STATES",
        "PauseRule": "annotation.models.Rule",
        "KindEnum": "annotation.models.Import.Kind",
        "RecipientKind": "annotation.models.Recipient.Kind",
        "DescriptionKind": "evaluation.models.Description.Kind",
        "ReportKind": "evaluation.reports.forms.KIND_CHOICES",
        "RuleEnum": "annotation.quality.alerts.RULES",
        "SimilarityName": ["cosine", "inner", "euclidean"],
        "RuleMode": "annotation.trust.forms.pausing.MODES",
        "WatchedRule": ["cusum", "page-hinkley", "limits"],
        "WatchedBad": ["down", "up", "either"],
        "WatchedSchedule": ["hourly", "daily", "weekly", "monthly"],
        "UnlistedEnum": ["leave", "zero"],
        "ReplayUnlisted": ["skip", "zero"],
        "OutcomeEnum": "annotation.judging.api.desk_serializers.OUTCOMES",
        "ABOutcome": ["clicked", "first_click", "clicks"],
    },
}

# --- Metrics: nobody may ask for them unless a token is set -----------------------------------------------------------

TOUCHSTONE_MONITOR_TOKEN = env.str("TOUCHSTONE_MONITOR_TOKEN", default="")

# --- Logging: one line an event, to standard error ------------------------------------------------------------------

TOUCHSTONE_LOG = env.str("TOUCHSTONE_LOG", default="line")  # or json, which tells of every request as well
if TOUCHSTONE_LOG not in {"line", "json"}:
    raise ValueError("TOUCHSTONE_LOG must be line or json")
TOUCHSTONE_SERVER_LOG = "touchstone.server_log.ServerLog"  # what gunicorn logs with
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "touchstone.logs.Line",
            "style": "{",
            "format": "{asctime} level={levelname} process={process} logger={name} {message}",
        },
        "json": {"()": "touchstone.logs.JsonLine"},
    },
    "filters": {"hide_secrets": {"()": "touchstone.logs.HideSecrets"}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": TOUCHSTONE_LOG, "filters": ["hide_secrets"]},
    },
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        "annotation": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        "evaluation": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        "touchstone": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        "touchstone.requests": {"level": "INFO" if TOUCHSTONE_LOG == "json" else "WARNING"},
    },
}
