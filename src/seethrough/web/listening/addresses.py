"""Where the server listens, by which names browsers may call it, and who else can read along."""

import ipaddress
import re
import secrets
from dataclasses import dataclass, replace

from seethrough.errors import ConfigError
from seethrough.web.guard.guard import Names

LOOPBACK = "127.0.0.1"
READ_ALONG = (
    "Without TLS: whoever is on the network between this browser and the tool can read every page, every file that is "
    "sent, and the cookie, and so use the tool in your place."
)
_NAME = re.compile(r"(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\])(?::[0-9]{1,5})?")
_BEHIND = re.compile(r"https://([^/]+)/?")


@dataclass(frozen=True)
class ListeningPlace:
    """Where the server listens and what it is called; `port` 0 is any that is free.

    `behind` is the name of a proxy that brings TLS, `names` are further Hosts (a forwarded port), `is_open` where
    others on the network can read along and the user has said so.
    """

    address: str = LOOPBACK
    port: int = 0
    behind: str = ""
    names: tuple[str, ...] = ()
    is_open: bool = False

    @property
    def warning(self) -> str:
        """Say who can read along, on every page; nothing where nobody can."""
        return READ_ALONG if self.is_open else ""

    def at_port(self, port: int) -> "ListeningPlace":
        """Give the same place with the port that it has got."""
        return replace(self, port=port)

    def hosts(self) -> tuple[str, ...]:
        """Give the Hosts by which a browser may call it, the one for links first."""
        if self.behind:
            return (self.behind,)
        own = () if _is_wildcard(self.address) else (_with_port(self.address, self.port),)
        loopback = (f"{LOOPBACK}:{self.port}", f"localhost:{self.port}") if _reaches_loopback(self.address) else ()
        return tuple(dict.fromkeys((*self.names, *own, *loopback)))

    def origin(self) -> str:
        """Give the beginning of its links."""
        return f"{self.scheme}://{self.hosts()[0]}"

    @property
    def scheme(self) -> str:
        """Name the protocol that browsers speak with it, or with the proxy before it."""
        return "https" if self.behind else "http"

    def make_names(self) -> Names:
        """Make what the guard compares with, and a cookie that nobody can guess."""
        prefix = "__Secure-" if self.behind else ""
        hosts = frozenset(self.hosts())
        origins = frozenset(f"{self.scheme}://{host}" for host in hosts)
        return Names(hosts, origins, f"{prefix}seethrough_{self.port}", secrets.token_urlsafe(32))


def choose_place(
    listen: str, port: int, behind: str, host_names: tuple[str, ...], *, without_tls: bool = False
) -> ListeningPlace:
    """Understand the options, and refuse what would let others read along unsaid."""
    names = tuple(_host_name(each) for each in host_names)
    proxy = _proxy_name(behind) if behind else ""
    if proxy and without_tls:
        raise ConfigError("--behind brings TLS, and --without-tls says that there is none")
    address = _address(listen) if listen else LOOPBACK
    if _is_loopback(address):
        if without_tls:
            raise ConfigError("--without-tls is for --listen; nobody else can read along on this machine")
        return ListeningPlace(address, port, proxy, names)
    is_forwarded = bool(names) and all(_is_loopback_name(name) for name in names)
    if not (proxy or without_tls or is_forwarded):
        raise ConfigError(
            f"--listen {address} needs --behind https://NAME (a proxy brings TLS), --host-name 127.0.0.1:PORT (a port "
            "that a container publishes on loopback), or --without-tls, by which others on the network can read along"
        )
    if _is_wildcard(address) and not (proxy or names):
        raise ConfigError(f"--listen {address} needs --host-name NAME:PORT, by which browsers will call it")
    return ListeningPlace(address, port, proxy, names, is_open=without_tls)


def _address(text: str) -> str:
    try:
        return str(ipaddress.ip_address(text.strip("[]")))
    except ValueError:
        raise ConfigError(f"--listen {text!r} is not an address such as 192.0.2.7 or 0.0.0.0") from None


def _host_name(text: str) -> str:
    if not _NAME.fullmatch(text.lower()):
        raise ConfigError(f"--host-name {text!r} is not a name with a port, such as localhost:8000")
    return text.lower()


def _proxy_name(text: str) -> str:
    found = _BEHIND.fullmatch(text.lower())
    if not found or not _NAME.fullmatch(found[1]):
        raise ConfigError(f"--behind {text!r} is not an address such as https://audit.example.org")
    return found[1].removesuffix(":443")


def _with_port(address: str, port: int) -> str:
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def _is_wildcard(address: str) -> bool:
    return ipaddress.ip_address(address).is_unspecified


def _is_loopback(address: str) -> bool:
    return ipaddress.ip_address(address).is_loopback


def _reaches_loopback(address: str) -> bool:
    return address == LOOPBACK or _is_wildcard(address)


def _is_loopback_name(name: str) -> bool:
    host = name.rpartition(":")[0] if re.search(r":[0-9]+$", name) else name
    return host in ("localhost", LOOPBACK, "[::1]")
