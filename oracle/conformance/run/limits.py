"""What a program under test may take, and how much it is asked at a time."""

from __future__ import annotations

import msgspec

MAX_BATCH = 200


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How long a program may take, in seconds, what memory it may use, in bytes, how often it is started anew.

    `run` is for the whole run: after that it is given up, and what was judged so far stays.
    """

    start: float = 20.0
    batch: float = 60.0
    case: float = 5.0
    run: float = 1800.0
    restarts: int = 20
    memory: int = 4 << 30
