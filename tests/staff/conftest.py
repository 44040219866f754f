import pytest
import time_machine
from django.utils import timezone


@pytest.fixture
def quick_sign_in(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def required(quick_sign_in, settings):
    """Ask for the second factor, as in production."""
    settings.SECOND_FACTOR_REQUIRED = True


@pytest.fixture
def still():
    """Let no code run out during a test, unless it says so."""
    with time_machine.travel(timezone.now(), tick=False) as traveller:
        yield traveller
