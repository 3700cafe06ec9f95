"""Opaque random tokens: what people see instead of database ids."""

import hashlib
import secrets


def new_token() -> str:
    """Nearly 128 random bits, URL-safe, 22 characters; no hyphen first, which a command would take for an option."""
    token = secrets.token_urlsafe(16)
    return new_token() if token.startswith("-") else token


def new_secret() -> str:
    """256 random bits for links and API tokens, shown once and kept only as a hash."""
    return secrets.token_urlsafe(32)


def hash_secret(secret: str) -> str:
    """SHA-256 in hex. Enough for secrets of 256 random bits; passwords go through Django's hashers."""
    return hashlib.sha256(secret.encode()).hexdigest()
