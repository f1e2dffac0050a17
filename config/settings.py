"""Settings for every installation: the environment decides.

Without any variable it is the embedded default.

Variables: DATABASE_URL, REDIS_URL, SECRET_KEY, SECRET_KEY_FALLBACKS, SITE_URL, HSTS, ALLOWED_HOSTS,
TRUSTED_PROXIES, EDGE_LIMITS, LIMITS_FACTOR, RETENTION_DAYS, DEBUG, RAYUELA_HOME, STATIC_ROOT,
BOTS_ISOLATOR, LOG_LEVEL, LOG_FORMAT, METRICS_TOKEN, MAIL_URL, MAIL_FROM, PUSH_KEY,
PUSH_TEST_HOSTS, OPEN_DATA, WORKER_MEMORY_MB, CELERY_EVENTS,
TRACES_URL. docs/operate/configure.md explains each.
"""

from __future__ import annotations

import gc
import os
from collections.abc import MutableMapping
from typing import Any
from urllib.parse import urlsplit

from csp.constants import NONE, SELF, WASM_UNSAFE_EVAL

from config import environment
from tournaments.queues import Queue

# Scripts of threads: the kernel's, and that of bots in the editor.
WORKERS = ("/rayuela/engine/worker.", "/rayuela/bots/worker.")
POLICY = f"default-src {NONE}; script-src {WASM_UNSAFE_EVAL}; connect-src {SELF}"
# The thread of bots in Python imports the scripts of its interpreter.
PYTHON_WORKER = "/rayuela/bots/python."
PYTHON_POLICY = f"default-src {NONE}; script-src {SELF} {WASM_UNSAFE_EVAL}; connect-src {SELF}"


def add_headers(headers: MutableMapping[str, str], _path: str, url: str) -> None:
    """Allow a worker to compile a module and fetch it from here only.

    A worker has the policy of its own file (CSP 3, 4.2.2), and static files have no policy.
    """
    if any(worker in url for worker in WORKERS):
        headers["Content-Security-Policy"] = POLICY
    elif PYTHON_WORKER in url:
        headers["Content-Security-Policy"] = PYTHON_POLICY


# One thread for each fit of ratings. Workers are processes already, and their threads compete for
# the cores (a fit of 200 bots took 1.1 to 1.8 s with them, 0.02 s without). Read when numpy is
# loaded, which is at the first fit.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A page makes thousands of objects that live until its end. With the usual collection after each
# 700, the collector took 7 % of tests of pages and pairings. With this threshold it takes 3 %, and
# a start of the site takes a tenth less.
gc.set_threshold(20_000, 20, 20)

BASE_DIR = environment.ROOT
HOME = environment.home()
DATABASE_URL = environment.secret("DATABASE_URL")
REDIS_URL = environment.secret("REDIS_URL")
SITE_URL = os.environ.get("SITE_URL", "http://127.0.0.1:8000")
IS_HTTPS = urlsplit(SITE_URL).scheme == "https"

SECRET_KEY = environment.secret_key()
SECRET_KEY_FALLBACKS = environment.words("SECRET_KEY_FALLBACKS")
DEBUG = environment.flag("DEBUG")
ALLOWED_HOSTS = environment.words("ALLOWED_HOSTS", default="127.0.0.1,localhost,[::1]")

INSTALLED_APPS = [
    "config",
    "tournaments",
    # Its pages are registered by `config.urls`: a worker has no use for them, nor for all forms.
    "config.apps.AdministrationConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.sitemaps",
    "django.forms",
    "corsheaders",
    "csp",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
]
MIDDLEWARE = [
    "config.request_ids.RequestIdMiddleware",
    "config.tracing.TracesMiddleware",
    "config.probes.ProbesMiddleware",
    "config.metrics.MetricsMiddleware",
    "config.middleware.VisitMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "config.middleware.HeadersMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "config.compression.CompressionMiddleware",
    "config.middleware.ApiMiddleware",
    "config.middleware.PlainRequestMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "config.middleware.AccountMiddleware",
    "django_otp.middleware.OTPMiddleware",
    "config.middleware.LimitsMiddleware",
    "config.middleware.SessionsLastMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.asgi.django_application"
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "tournaments.views.context.account",
                "tournaments.views.context.site_address",
                "tournaments.views.context.visitor_preferences",
            ],
        },
    },
]
# `templates/django/forms` has templates of fields in place of Django's.
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"
DATABASES = {"default": environment.database(DATABASE_URL)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- people ---------------------------------------------------------------------------------------
AUTH_USER_MODEL = "tournaments.User"
AUTHENTICATION_BACKENDS = ["tournaments.services.accounts.backend.AccountBackend"]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
PASSWORD_RESET_TIMEOUT = 24 * 3600
OTP_TOTP_ISSUER = "Rayuela"
# A reader of a second factor's secret in the admin could give its codes.
OTP_ADMIN_HIDE_SENSITIVE_DATA = True
PASSWORD_HASHERS = [
    "tournaments.models.players.ModestArgon2Hasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

# --- pages that each process keeps for itself ------------------------------------------------------
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

# The front page of visitors and the lists of next events are made once in this time at most, in seconds,
# however much happens.
NEWS_LAG_S = 1.0

# --- instructions to browsers --------------------------------------------------------------------
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "manifest-src": [SELF],
        "worker-src": [SELF],
    },
}
CSRF_TRUSTED_ORIGINS = [SITE_URL] if IS_HTTPS else []
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_HTTPS
SESSION_COOKIE_NAME = "__Host-session" if IS_HTTPS else "rayuela_session"
CSRF_COOKIE_NAME = "__Host-csrf" if IS_HTTPS else "rayuela_csrf"
DEVICE_COOKIE_NAME = "__Host-device" if IS_HTTPS else "rayuela_device"
GUEST_COOKIE_NAME = "__Host-guest" if IS_HTTPS else "rayuela_guest"
SESSION_COOKIE_HTTPONLY = True
SESSION_ENGINE = "tournaments.services.sessions"
SECURE_SSL_REDIRECT = IS_HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if IS_HTTPS else 0
# Other hosts of the domain may have no certificate, so that the operator decides about them.
_HSTS = environment.choice("HSTS", ("host", "subdomains", "preload"))
SECURE_HSTS_INCLUDE_SUBDOMAINS = IS_HTTPS and _HSTS != "host"
SECURE_HSTS_PRELOAD = IS_HTTPS and _HSTS == "preload"
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# Pages of all sites may call the API, read open data and use the endpoints of OAuth. These take no
# cookies, so that they act by tokens alone.
CORS_URLS_REGEX = (
    r"^/(?:(?:api|data)/|oauth/(?:token|revoke)/$|\.well-known/oauth-authorization-server$)"
)
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_HEADERS = [
    *("accept", "authorization", "content-type", "event-code", "idempotency-key"),
    *("if-match", "if-none-match", "last-event-id"),
]
CORS_EXPOSE_HEADERS = [
    *("deprecation", "sunset"),
    *(
        "accept-ranges",
        "content-range",
        "etag",
        "link",
        "location",
        "ratelimit",
        "ratelimit-policy",
        "retry-after",
        "x-request-id",
    ),
]
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
# The front has each body in memory already (`config.wsgi_pool`). A full disk of this host refuses no upload.
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]
FILE_UPLOAD_MAX_MEMORY_SIZE = 16 * 1024 * 1024

# --- the edge of the web server (`config.edge`) ---------------------------------------------------
# Addresses or networks whose X-Forwarded-For and X-Forwarded-Proto are believed. Others are
# ignored.
TRUSTED_PROXIES = environment.words("TRUSTED_PROXIES")
# Values of `config.edge.Limits` that differ from its own figures.
EDGE_LIMITS: dict[str, float] = environment.figures("EDGE_LIMITS")

# Factor of the limits of `tournaments.limits`. 0 lifts all limits except those that guard secrets.
LIMITS_FACTOR = environment.factor("LIMITS_FACTOR", default=1.0)

# --- monitoring: the token for /metrics. Without a token there is no such page -------------------
METRICS_TOKEN = environment.secret("METRICS_TOKEN")

# --- traces: the address of a collector of OpenTelemetry. Without it nothing is traced -----------
TRACES_URL = environment.web_address("TRACES_URL")

# --- words and time -------------------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("ja", "日本語")]
LANGUAGE_COOKIE_NAME = "rayuela_language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = IS_HTTPS
LANGUAGE_COOKIE_HTTPONLY = True
FORMAT_MODULE_PATH = ["config.formats"]
TIME_ZONE = "UTC"
USE_I18N = USE_TZ = True

# --- files ----------------------------------------------------------------------------------------
STATIC_URL = "/static/"
STATIC_ROOT = environment.folder("STATIC_ROOT", HOME / "static")
# With a STATIC_ROOT an installation runs `collectstatic`, and files are served hashed and
# compressed. The embedded default serves them from their own places, with a version in their
# addresses. Either way browsers keep them permanently.
_IS_COLLECTED = "STATIC_ROOT" in os.environ
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "config.bundles.BundleFinder",
    "config.kernel_files.ModuleFinder",
]
WHITENOISE_ADD_HEADERS_FUNCTION = add_headers
WHITENOISE_USE_FINDERS = not _IS_COLLECTED
if not _IS_COLLECTED:
    # Style sheets of Django's admin name others without a version.
    WHITENOISE_IMMUTABLE_FILE_TEST = "^/static/rayuela/"
_STATIC = "whitenoise.storage.CompressedManifestStaticFilesStorage"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": _STATIC if _IS_COLLECTED else "config.bundles.VersionedStorage"},
}

# --- mail: letters to people who are away, and notices to authors of bots -------------------------
_MAIL = environment.mail(environment.secret("MAIL_URL"))
# Without a mail server a site on its own machine writes e-mails to the terminal that started it.
_WITHOUT_MAIL = "dummy" if DATABASE_URL else "console"
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if _MAIL.host else _WITHOUT_MAIL}.EmailBackend"
EMAIL_HOST = _MAIL.host
EMAIL_PORT = _MAIL.port
EMAIL_HOST_USER = _MAIL.user
EMAIL_HOST_PASSWORD = _MAIL.password
EMAIL_USE_TLS = _MAIL.is_encrypted
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = os.environ.get("MAIL_FROM", "rayuela@localhost")

# --- Web Push: notifications of devices -------------------------------------------------------------
PUSH_KEY = environment.push_key(is_service=bool(DATABASE_URL))
# Hosts (`name:port`) that tests reach without TLS and at private addresses.
PUSH_TEST_HOSTS = environment.words("PUSH_TEST_HOSTS")

# --- news -----------------------------------------------------------------------------------------
LIVE_REDIS_URL = REDIS_URL
LIVE_SOCKET = HOME / "live.sock"
# A server on a network may not answer. Files of this machine do (`tournaments.courier`).
SENDS_IN_BACKGROUND = bool(REDIS_URL)

# --- work (Celery reads CELERY_*) -----------------------------------------------------------------
CELERY_BROKER_URL = REDIS_URL or "sqlitefile://embedded"
CELERY_BROKER_CONNECTION_TIMEOUT = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, object] = (
    {
        "visibility_timeout": 9000,  # longer than the longest match
        "unacked_restore_interval": 10,
        "unacked_restore_throttle": 1,
        "socket_timeout": 5,
        "socket_connect_timeout": 1,
        "socket_keepalive": True,
        "health_check_interval": 10,
    }
    if REDIS_URL
    else {"path": str(HOME / "queue.sqlite3")}
)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
# A message whose process died is not delivered again: it may have killed it. The tick finds the
# work again (law 1) and counts its losses.
CELERY_TASK_REJECT_ON_WORKER_LOST = False
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_DEFAULT_QUEUE = Queue.DEFAULT
# A worker that is asked to stop immediately (SIGQUIT) waits this long for the end of a pair.
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 20
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Python returns memory to the system seldom: one large pairing would keep it for weeks. In KiB, and
# for pools of processes only. The clock of `up` is a pool `solo`, which runs ticks alone.
CELERY_WORKER_MAX_MEMORY_PER_CHILD = (
    int(1024 * environment.factor("WORKER_MEMORY_MB", default=400)) or None
)
CELERY_WORKER_ENABLE_REMOTE_CONTROL = bool(REDIS_URL)
# Events of tasks for Flower or an exporter.
CELERY_WORKER_SEND_TASK_EVENTS = CELERY_TASK_SEND_SENT_EVENT = environment.flag("CELERY_EVENTS")
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_REDIRECT_STDOUTS = False  # an e-mail in the terminal is no warning
CELERY_TIMEZONE = "UTC"
# Queues of the tasks that beat and the tick send. `services.enqueue` chooses those of wake-ups.
CELERY_TASK_ROUTES = {
    "tournaments.tasks.tick*": {"queue": Queue.TICKS},
    # Tasks that wait for servers of others.
    **{
        f"tournaments.tasks.{task}": {"queue": Queue.POST}
        for task in ("post", "push", "call_webhooks")
    },
}
# Expires with the next one: a worker that comes back late finds one tick, not a heap of them.
# While games are played each tick sends for others in between.
CELERY_BEAT_SCHEDULE = {
    "tick": {"task": "tournaments.tasks.tick", "schedule": 10.0, "options": {"expires": 10.0}}
}
CELERY_BEAT_SCHEDULER = "config.beat.ForgetfulScheduler"

# --- storage times (`tournaments.services.retention`) -------------------------------------------
# Kinds of that module that are kept for another number of days: `news=30,emails=14`.
RETENTION_DAYS: dict[str, float] = environment.figures("RETENTION_DAYS")

# --- open data (`tournaments.services.open_data`) --------------------------------------------------
# The formats of the monthly files: `jsonl.zst`, and `parquet` if workers have pyarrow. Empty for none.
OPEN_DATA: list[str] = environment.choices("OPEN_DATA", ("jsonl.zst", "parquet"))

# --- the sandbox of uploaded programs -------------------------------------------------------------
# The isolator that workers use, after its self-test. No setting runs uploaded programs without one.
BOTS_ISOLATOR = environment.choice("BOTS_ISOLATOR", ("auto", "bwrap", "landlock"))

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"context": {"()": "config.logs.ContextFilter"}},
    "formatters": {
        "line": {
            "()": "config.logs.LineFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s %(message)s",
        },
        "json": {"()": "config.logs.JsonLineFormatter"},
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": environment.choice("LOG_FORMAT", ("line", "json")),
            "filters": ["context"],
        }
    },
    "root": {"handlers": ["stderr"], "level": os.environ.get("LOG_LEVEL", "WARNING")},
    # Written at every LOG_LEVEL: after a theft of an account the sign-ins before it are needed.
    "loggers": {"rayuela.security": {"level": "INFO"}},
}
