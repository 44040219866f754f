"""Concurrent calls, each with its own database connection.

A race of writers is one only on PostgreSQL; on SQLite they queue at the door, and none may crash.
"""

import threading
from concurrent.futures import ThreadPoolExecutor

from django.db import connections


def race(calls):
    """Start all calls together. Return their results or exceptions, in order."""

    def caught(call):
        def run(_):
            try:
                return call()
            except Exception as error:
                return error

        return run

    [outcomes] = race_in_rounds([caught(call) for call in calls], 1)
    return outcomes


def race_in_rounds(runners, rounds):
    """Let all runners act together, a round after the other; return the outcomes by round.

    A runner gets the number of the round. What it raises is raised here.
    """
    barrier = threading.Barrier(len(runners), timeout=60)

    def run(runner):
        try:
            outcomes = []
            for number in range(rounds):
                barrier.wait()
                outcomes.append(runner(number))
            return outcomes
        except BaseException:
            barrier.abort()
            raise
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(runners)) as pool:
        futures = [pool.submit(run, runner) for runner in runners]
    for future in futures:
        error = future.exception()
        if error and not isinstance(error, threading.BrokenBarrierError):
            raise error
    by_runner = [future.result() for future in futures]
    return [list(outcomes) for outcomes in zip(*by_runner, strict=True)]
