"""Results that several threads ask for by name, each worked out once."""

from collections.abc import Callable
from threading import Condition
from typing import TypeVar, cast

from seethrough.kernels.crew import wait_away

T = TypeVar("T")


class OnceEach:
    """Results by name; who asks while another thread works one out waits for it, and tries itself where that failed."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._found: dict[object, object] = {}
        self._under_way: set[object] = set()

    def get(self, name: object, work: Callable[[], T]) -> T:
        """Give what was worked out under this name, or work it out."""
        while not self._begin(name):
            if name in self._found:
                return cast("T", self._found[name])
            wait_away(self._changed, lambda: name not in self._under_way)
        try:
            self._found[name] = found = work()
        finally:
            with self._changed:
                self._under_way.remove(name)
                self._changed.notify_all()
        return found

    def _begin(self, name: object) -> bool:
        with self._changed:
            if name in self._found or name in self._under_way:
                return False
            self._under_way.add(name)
            return True
