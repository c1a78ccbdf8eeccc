"""Clients of Dask: one that dies while another begins would wait for ever for the lock that the other holds."""

import gc
from types import SimpleNamespace

import pytest

from seethrough.cluster.connecting import _started
from seethrough.errors import ConfigError


class Dying:
    """Dies when Python looks for circles of objects; notes whether a client began just then."""

    def __init__(self, deaths):
        self.me, self.deaths = self, deaths

    def __del__(self):
        self.deaths.append(Beginning.is_beginning)


class Beginning:
    """A client that begins: it makes objects, so that Python would look for circles of them."""

    is_beginning = False

    def __init__(self, deaths, **options):
        Beginning.is_beginning = True
        Dying(deaths)
        self.objects = [[] for _ in range(200_000)]
        Beginning.is_beginning = False


def test_no_client_dies_while_another_begins():
    deaths = []
    Dying(deaths)
    client = _started(SimpleNamespace(Client=Beginning), deaths)
    assert gc.isenabled()
    assert len(client.objects) == 200_000
    gc.collect()
    assert deaths == [False, False]  # before it began, and after


def test_a_client_whose_thread_does_not_begin_is_tried_again_and_then_said():
    tries = []

    def stalled(scheduler, **options):
        tries.append(scheduler)
        raise AssertionError

    with pytest.raises(ConfigError, match="too busy"):
        _started(SimpleNamespace(Client=stalled), "address")
    assert tries == ["address"] * 3
    assert gc.isenabled()
