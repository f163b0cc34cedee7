"""Very many live streams at once, read by one thread."""

import asyncio
import resource
import threading
from collections.abc import Sequence
from typing import Self

from aiohttp import ClientError, ClientSession, ClientTimeout, TCPConnector

from tests.support.api import Api
from tests.support.streams import Parser
from tests.support.waiting import until

AT_ONCE = 50
OPEN_S = 60.0


class Crowd:
    """A stream for each (account or guest, game) of `places`; all are open inside the block.

    `seen` are the ids of each one's entries so far, `lost` what ended before it should.
    """

    def __init__(self, places: Sequence[tuple[Api, str]]) -> None:
        self.seen: list[list[int]] = [[] for _ in places]
        self.lost: list[str] = []
        self.open = 0
        self._places = places
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        self._thread.start()
        until(lambda: self.lost or self.open == len(self._places), OPEN_S, "everybody listens")
        assert not self.lost, self.lost[:3]
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._reading.cancel)
        self._thread.join(30)

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._read_all())
        except asyncio.CancelledError:
            pass
        finally:
            self._loop.close()

    async def _read_all(self) -> None:
        doors = asyncio.Semaphore(AT_ONCE)
        async with ClientSession(connector=TCPConnector(limit=0), timeout=ClientTimeout(None)) as session:
            self._reading = asyncio.gather(
                *(self._read(session, doors, number) for number in range(len(self._places)))
            )
            await self._reading

    async def _read(self, session: ClientSession, doors: asyncio.Semaphore, number: int) -> None:
        api, game_id = self._places[number]
        parser = Parser()
        headers = {"Authorization": f"Bearer {api.token}", "X-Device": f"listener {number}"}
        try:
            async with doors:
                answer = await session.get(f"{api.url}/v1/games/{game_id}/live", headers=headers)
            async with answer:
                assert answer.status == 200, (answer.status, await answer.text())
                self.open += 1
                async for data in answer.content.iter_any():
                    for frame in parser.feed(data):
                        if frame.event == "entry":
                            self.seen[number].append(int(frame.id or 0))
            self.lost.append(f"listener {number}: its stream ended")
        except (ClientError, AssertionError) as error:
            self.lost.append(f"listener {number}: {error!r}")
