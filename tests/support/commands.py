"""Management commands, run as a shell does."""

import io

from django.core.management import call_command


def run(*arguments, **options):
    """Run a command; return what it wrote to stdout and stderr."""
    stdout, stderr = io.StringIO(), io.StringIO()
    call_command(*arguments, **options, stdout=stdout, stderr=stderr)
    return stdout.getvalue(), stderr.getvalue()
