"""Where messages may go: names, addresses that these lead to."""

import ipaddress
import socket
from typing import Any

import pytest

from annotation.outgoing.steps.allowed_addresses import (
    OutgoingError,
    addresses_of,
    check_recipient,
    is_public,
    target_of,
)

HOOK = "https://hooks.example.org/touchstone"


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("https://elsewhere.example.org/", "has not allowed elsewhere.example.org, port 443"),
        ("https://hooks.example.org:8443/", "has not allowed hooks.example.org, port 8443"),
        ("https://hooks.example.org./", "has not allowed hooks.example.org., port 443"),
        ("https://hooks.example.org.evil.example/", "has not allowed"),
        ("https://evil.example/@hooks.example.org", "has not allowed evil.example"),
        ("https://ada:key@hooks.example.org/", "no name or password"),
        ("http://hooks.example.org/", "Outside of the own network"),
        ("http://hooks.example.org:443/", "has not allowed hooks.example.org, port 443"),
        ("ftp://hooks.example.org/", "begins with https://"),
        ("https://hooks.example.org/#a", "no blanks and no #"),
        ("https://hooks.example.org/a b", "no blanks and no #"),
        ("https://hooks.example.org/\r\nHost:x", "no blanks and no #"),
        ("https://hooks.example.org:99999/", "no address"),
        ("https://[::1/", "no address"),
        ("https://127.0.0.1/", "has not allowed 127.0.0.1"),
        ("https://2130706433/", "has not allowed"),
        ("//hooks.example.org/", "begins with https://"),
    ],
)
def test_where_no_webhook_goes(settings: Any, address: str, reason: str) -> None:
    settings.TOUCHSTONE_WEBHOOK_HOSTS = ["hooks.example.org", ""]
    with pytest.raises(OutgoingError, match=reason):
        check_recipient("webhook", address)


def test_where_a_webhook_goes(settings: Any) -> None:
    settings.TOUCHSTONE_WEBHOOK_HOSTS = ["Hooks.example.org", "ci.example.org:8443"]
    settings.TOUCHSTONE_WEBHOOK_PRIVATE_HOSTS = ["inside:8080", "[::1]:9000"]
    for address in (f"{HOOK}?a=b", "https://HOOKS.example.org", "https://ci.example.org:8443/", "http://inside:8080/x"):
        check_recipient("webhook", address)
    target = target_of("http://[::1]:9000/a?b")
    assert (target.host, target.path, target.may_be_private) == ("::1", "/a?b", True)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.1"),
        *("255.255.255.255", "192.0.2.1", "::", "::1", "fe80::1", "fc00::1", "ff02::1", "::ffff:10.0.0.1"),
        *("64:ff9b::a00:1", "2002:a00:1::", "2001:0:a00:1::", "0.1.2.3"),
        *("192.88.99.1", "::10.0.0.1", "::5db8:d822", "::ffff:0:a00:1", "64:ff9b::5db8:d822", "64:ff9b:1::1"),
        *("3fff::1", "3fff:fff::1", "2001:db8::1", "4000::1", "5f00::1", "fec0::1", "100::1", "1fff::1"),
    ],
)
def test_an_allowed_name_that_leads_inside_is_not_asked(
    settings: Any, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    settings.TOUCHSTONE_WEBHOOK_HOSTS = ["hooks.example.org"]
    answers = [(0, 0, 0, "", (each, 443)) for each in ("93.184.216.34", address)]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_options: answers)
    assert not is_public(ipaddress.ip_address(address))
    with pytest.raises(OutgoingError, match="not an address of the public network"):
        addresses_of(target_of(HOOK))
    answers.pop()
    assert addresses_of(target_of(HOOK)) == ["93.184.216.34"]


@pytest.mark.parametrize(
    "address", ["93.184.216.34", "2606:4700::1111", "3ffe::1", "2a00:1450::1", "::ffff:93.184.216.34"]
)
def test_addresses_of_the_public_network(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))
