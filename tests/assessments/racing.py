"""Threads that act at one moment, each on a database connection of its own.

A race of writers is one only on PostgreSQL; on SQLite they queue at the door, and none may crash.
"""

import threading
from concurrent.futures import ThreadPoolExecutor

from django.db import connection


def race(runners, rounds):
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
            connection.close()

    with ThreadPoolExecutor(len(runners)) as pool:
        futures = [pool.submit(run, runner) for runner in runners]
    for future in futures:
        error = future.exception()
        if error and not isinstance(error, threading.BrokenBarrierError):
            raise error
    by_runner = [future.result() for future in futures]
    return [list(outcomes) for outcomes in zip(*by_runner, strict=True)]
