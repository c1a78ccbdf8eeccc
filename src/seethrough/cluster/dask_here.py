"""A Dask cluster inside this process: it opens no port, so nobody else can reach it. Imported only where Dask is there.

Scheduler, workers and client talk by Dask's in-process communication. Dask would open a port for the web pages of each;
those are left out. Workers are threads. Nothing is spilled, and Dask's own files stand in a private folder.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from logging import WARNING
from typing import Any

import dask
from distributed import Scheduler, SpecCluster, Worker
from distributed.http.routing import RoutingApplication
from tornado.httpserver import HTTPServer

from seethrough.kernels.budget import one_blas_thread
from seethrough.system.private_folders import private_folder

PROTOCOL = "inproc://"


class _Unreachable:
    """A server of Dask without its web pages."""

    http_application: Any
    http_server: Any

    def start_http_server(self, routes: Any, *args: Any, **kwargs: Any) -> None:
        """Make the server of web pages, which is closed with the rest, and let it listen to nobody."""
        self.http_application = RoutingApplication(routes)  # type: ignore[no-untyped-call]
        self.http_server = HTTPServer(self.http_application)


class UnreachableScheduler(_Unreachable, Scheduler):
    """A scheduler that opens no port."""


class UnreachableWorker(_Unreachable, Worker):
    """A worker that opens no port."""


@contextmanager
def cluster_here(count: int) -> Iterator[Any]:
    """Start a scheduler and so many workers in this process."""
    with private_folder("dask") as folder, one_blas_thread(), dask.config.set({"temporary-directory": str(folder)}):
        options = {"protocol": PROTOCOL, "nthreads": 1, "memory_limit": 0, "local_directory": str(folder)}
        worker = {"cls": UnreachableWorker, "options": options}
        scheduler = {"cls": UnreachableScheduler, "options": {"protocol": PROTOCOL, "dashboard": False}}
        workers = dict.fromkeys(range(count), worker)
        with SpecCluster(workers, scheduler, name="seethrough", silence_logs=WARNING) as cluster:  # type: ignore[no-untyped-call]
            yield cluster
