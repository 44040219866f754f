"""Concurrent calls, each with its own database connection."""

import threading
from concurrent.futures import ThreadPoolExecutor

from django.db import connections


def race(calls):
    """Start all calls together. Return their results or exceptions, in order."""
    start = threading.Barrier(len(calls))

    def run(call):
        start.wait(10)
        try:
            return call()
        except Exception as error:
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))
