"""Where the server listens and what it may be called."""

import pytest

from seethrough.errors import ConfigError
from seethrough.web.listening.addresses import READ_ALONG, choose_place


def place_of(listen="", port=8123, behind="", names=(), *, without_tls=False):
    return choose_place(listen, port, behind, tuple(names), without_tls=without_tls).at_port(8123)


@pytest.mark.parametrize(("given", "hosts", "origin"), [
    ({}, {"127.0.0.1:8123", "localhost:8123"}, "http://127.0.0.1:8123"),
    ({"names": ["Box:9000"]}, {"127.0.0.1:8123", "localhost:8123", "box:9000"}, "http://box:9000"),
    ({"listen": "127.0.0.2"}, {"127.0.0.2:8123"}, "http://127.0.0.2:8123"),
    ({"listen": "::1"}, {"[::1]:8123"}, "http://[::1]:8123"),
    ({"behind": "https://audit.example.org"}, {"audit.example.org"}, "https://audit.example.org"),
    ({"behind": "https://audit.example.org:8443/"}, {"audit.example.org:8443"}, "https://audit.example.org:8443"),
    ({"listen": "192.0.2.7", "behind": "https://a.example"}, {"a.example"}, "https://a.example"),
    ({"listen": "192.0.2.7", "without_tls": True}, {"192.0.2.7:8123"}, "http://192.0.2.7:8123"),
    ({"listen": "0.0.0.0", "names": ["127.0.0.1:8000"]}, {"127.0.0.1:8000", "127.0.0.1:8123", "localhost:8123"},
     "http://127.0.0.1:8000"),
    ({"listen": "0.0.0.0", "names": ["box:80"], "without_tls": True}, {"box:80", "127.0.0.1:8123", "localhost:8123"},
     "http://box:80"),
])  # fmt: skip
def test_hosts_are_a_list_and_no_pattern(given, hosts, origin):
    place = place_of(**given)
    assert set(place.hosts()) == hosts
    assert place.origin() == origin
    names = place.make_names()
    assert names.hosts == hosts
    assert names.origins == {f"{place.scheme}://{host}" for host in hosts}


@pytest.mark.parametrize(("given", "said"), [
    ({"listen": "0.0.0.0"}, "needs --behind https://NAME"),
    ({"listen": "192.0.2.7"}, "--without-tls, by which others on the network can read along"),
    ({"listen": "0.0.0.0", "names": ["box.example:8000"]}, "needs --behind"),
    ({"listen": "0.0.0.0", "names": ["127.0.0.1:8000", "box.example:8000"]}, "needs --behind"),
    ({"listen": "0.0.0.0", "names": ["127.0.0.1.example:8000"]}, "needs --behind"),
    ({"listen": "0.0.0.0", "without_tls": True}, "needs --host-name"),
    ({"listen": "::", "without_tls": True}, "needs --host-name"),
    ({"listen": "everywhere"}, "is not an address"),
    ({"behind": "http://audit.example.org"}, "is not an address such as https://"),
    ({"behind": "https://audit.example.org/path"}, "is not an address such as https://"),
    ({"behind": "https://*.example.org"}, "is not an address such as https://"),
    ({"behind": "https://a@b"}, "is not an address such as https://"),
    ({"behind": "https://a.example", "without_tls": True}, "says that there is none"),
    ({"without_tls": True}, "--without-tls is for --listen"),
    ({"names": ["*"]}, "is not a name with a port"),
    ({"names": ["a b"]}, "is not a name with a port"),
    ({"names": [".example:80"]}, "is not a name with a port"),
])  # fmt: skip
def test_what_would_let_others_read_along_unsaid_is_refused(given, said):
    with pytest.raises(ConfigError, match=said.replace("*", r"\*")):
        place_of(**given)


def test_only_without_tls_is_there_a_warning():
    assert place_of(listen="192.0.2.7", without_tls=True).warning == READ_ALONG
    assert place_of().warning == place_of(behind="https://a.example").warning == ""


def test_cookies_are_random_and_named_by_the_port():
    first, second = place_of().make_names(), place_of().make_names()
    assert first.cookie == "seethrough_8123"
    assert first.secret != second.secret
    assert len(first.secret) == 43, "32 bytes"
    assert place_of(behind="https://a.example").make_names().cookie == "__Secure-seethrough_8123"
