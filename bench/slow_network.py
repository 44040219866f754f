"""A loopback proxy that imitates a slow network, on which some connections break."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import socket
import struct
import threading
from dataclasses import dataclass

BLOCK = 1400  # bytes, like a packet
MOST_WAITING = 64  # blocks in transit in one direction of a connection
# The ways in which connections break, in turn: the request gets lost, or the answer; the connection
# is reset before the answer, or in the middle of it.
FAULTS = ("request lost", "answer lost", "reset", "cut off")
CUT_OFF_AFTER = 300  # bytes of the answer


@dataclass(frozen=True)
class Conditions:
    """The network: bits a second in each direction, seconds for a round trip.

    `break_every` breaks one connection in so many; 0 breaks none.
    """

    rate: int = 0  # 0: no limit
    round_trip: float = 0.0
    break_every: int = 0


FAST = Conditions()


class _Link:
    """One direction, shared by all connections: blocks queue up at its bottleneck."""

    def __init__(self) -> None:
        self.carried = 0
        self._free_at = 0.0

    def arrival(self, size: int, conditions: Conditions, now: float) -> float:
        """Return the time at which a block sent now arrives."""
        self.carried += size
        if not conditions.rate:
            return now
        self._free_at = max(now, self._free_at) + size * 8 / conditions.rate
        return self._free_at + conditions.round_trip / 2


class SlowNetwork:
    """Forwards a port to another one under `conditions`, which may change at any time.

    It does not imitate TLS or TCP's slow start: a first page above some 14 kB would cost another
    round trip, a new https connection one or two.
    """

    def __init__(self, port: int, to_port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.conditions, self.connections = FAST, 0
        self.broken: list[str] = []
        self._port, self._to_port = port, to_port
        self._up, self._down = _Link(), _Link()
        self._open: set[asyncio.StreamWriter] = set()
        self._delivered = asyncio.Condition()
        self._faults = itertools.cycle(FAULTS)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> SlowNetwork:
        self._thread.start()
        starting = asyncio.start_server(self._serve, "127.0.0.1", self._port)
        asyncio.run_coroutine_threadsafe(starting, self._loop).result(10)
        return self

    def __exit__(self, *error: object) -> None:
        self.hang_up()
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _end(self) -> None:
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def received(self) -> int:
        """The bytes that the browser has received over TCP."""
        return self._down.carried

    @property
    def sent(self) -> int:
        return self._up.carried

    def hang_up(self) -> None:
        """Close all connections, as the server and networks do while a student reads."""
        for writer in list(self._open):
            self._loop.call_soon_threadsafe(writer.close)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        with contextlib.suppress(OSError, asyncio.CancelledError):
            await self._carry(reader, writer)
        self._open.discard(writer)
        writer.close()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # Browsers open connections that they may never use, so count only those that carry data.
        first = await reader.read(BLOCK)
        fault = self._next_fault() if first else ""
        if fault == "reset":
            _reset(writer)
        while fault == "request lost" and await reader.read(BLOCK):
            pass
        if not first or fault in ("reset", "request lost"):
            return
        service, to_service = await asyncio.open_connection("127.0.0.1", self._to_port)
        await self._open_slowly()
        ways = [
            asyncio.create_task(self._pass_on(reader, to_service, self._up, first)),
            asyncio.create_task(self._pass_on(service, writer, self._down, b"", fault)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            to_service.close()

    async def _open_slowly(self) -> None:
        """Wait as long as opening a connection takes over this network.

        On this machine it was there at once. A browser gives a request to the connection that is
        ready first, so it waits no longer than until another one has delivered all that it had.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self.conditions.round_trip), self._delivered:
                await self._delivered.wait()

    def _next_fault(self) -> str:
        self.connections += 1
        every = self.conditions.break_every
        if not every or self.connections % every:
            return ""
        self.broken.append(next(self._faults))
        return self.broken[-1]

    async def _pass_on(
        self,
        source: asyncio.StreamReader,
        target: asyncio.StreamWriter,
        link: _Link,
        block: bytes,
        fault: str = "",
    ) -> None:
        on_the_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(MOST_WAITING)
        arriving = asyncio.create_task(self._arrive(on_the_way, target, link))
        try:
            block = block or await source.read(BLOCK)
            while block and not arriving.done():
                if fault == "answer lost":
                    await asyncio.Event().wait()  # until the browser gives up
                if fault == "cut off":
                    block = block[:CUT_OFF_AFTER]
                due = link.arrival(len(block), self.conditions, self._loop.time())
                await on_the_way.put((due, block))
                if fault == "cut off":
                    await asyncio.sleep(due - self._loop.time() + 0.1)
                    _reset(target)
                    return
                block = await source.read(BLOCK)
            await on_the_way.put((0, b""))
            await arriving
        finally:
            arriving.cancel()

    async def _arrive(
        self, on_the_way: asyncio.Queue[tuple[float, bytes]], to: asyncio.StreamWriter, link: _Link
    ) -> None:
        while True:
            due, block = await on_the_way.get()
            if not block:
                return
            await asyncio.sleep(due - self._loop.time())
            to.write(block)
            await to.drain()
            if link is self._down and on_the_way.empty():
                async with self._delivered:
                    self._delivered.notify()


def _reset(writer: asyncio.StreamWriter) -> None:
    """Close a connection with a reset, like a lost route or a restarted router."""
    writer.get_extra_info("socket").setsockopt(
        socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
    )
    writer.transport.abort()
