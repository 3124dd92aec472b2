"""What is known of a call that Lookout did not answer, from what gRPC says of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

import grpc


@dataclass(frozen=True)
class Unanswered:
    code: str
    message: str
    status: int | None = None
    """Of HTTP, with which a proxy answered."""
    is_temporary: bool | None = None
    """None: as usual for the code."""


_PROXY_ADVICE = {
    "3": "it redirects, which gRPC does not follow. Use the address that it leads to",
    "401": "it wants a login of its own. Ask who runs it",
    "403": "it does not let the call through. Ask who runs it",
    "404": "it does not know the call. Check the address, and that it passes on gRPC",
    "413": "the request is larger than it takes. Send less at once, or raise its limit",
    "4": "it refuses the call. Check that it passes on gRPC",
}


def unanswered(code: grpc.StatusCode, text: str, address: str) -> Unanswered:
    """Reads the status and the text that gRPC has made up."""
    status = re.search(r"http2 header with status: (\d{3})", text)
    if status is not None:
        return _of_proxy(int(status[1]), address)
    refusal = re.search(r"HTTP proxy returned response code (\d{3})", text)
    if refusal is not None:
        return _of_tunnel(int(refusal[1]), address)
    if code == grpc.StatusCode.DEADLINE_EXCEEDED:
        return Unanswered("TIMEOUT", f"{address} gave no complete answer in time. Try again, or allow more with timeout_s")
    if code == grpc.StatusCode.CANCELLED:
        return Unanswered("CANCELLED", "The call was cancelled")
    if re.search(r"CERTIFICATE_VERIFY_FAILED|certificate verify failed|Peer name .* is not in peer certificate", text):
        return Unanswered(
            "UNREACHABLE",
            f"The certificate of {address} is not trusted, or is one for another name ({text}). For a certificate authority of"
            " your own pass credentials=grpc.ssl_channel_credentials(root_certificates=pem)",
            is_temporary=False,
        )
    # grpc says UNAVAILABLE also of servers that do not speak HTTP/2.
    if code == grpc.StatusCode.UNAVAILABLE and _was_sent(text):
        return Unanswered(
            "BAD_ANSWER",
            f"The connection to {address} was lost before its answer ({text}). Whether the call was carried out is not known",
        )
    if code == grpc.StatusCode.UNAVAILABLE:
        return Unanswered(
            "UNREACHABLE", f"Nothing answers at {address} ({text}). Check the address, and whether Lookout runs and speaks gRPC there"
        )
    return Unanswered(
        "BAD_ANSWER", f"The answer of {address} broke off or is not one of Lookout ({text}). Check the address and the proxies on the way"
    )


def _was_sent(text: str) -> bool:
    """Whether there was a connection, over which the call may have gone."""
    return re.search(r"failed to connect|resol|handshake|http1|settings frame|DNS", text, re.IGNORECASE) is None


def _of_tunnel(status: int, address: str) -> Unanswered:
    """A proxy refuses the way to Lookout."""
    text = f"The proxy on the way to {address} refuses the connection (status {status})"
    if status == 429:
        return Unanswered("RATE_LIMIT_EXCEEDED", f"{text}. Call less often", status)
    if status >= 500 or status == 408:
        return Unanswered("SERVICE_UNAVAILABLE", f"{text}. It, or what is behind it, is down or starts; try again later", status)
    advice = (
        "It asks for a name and a password: put them into its address, http://name:password@proxy.example:3128"
        if status == 407
        else "Check https_proxy and no_proxy, or the option grpc.http_proxy, and what the proxy allows"
    )
    return Unanswered("BAD_ANSWER", f"{text}. {advice}", status, is_temporary=False)


def _of_proxy(status: int, address: str) -> Unanswered:
    if status == 429:
        return Unanswered("RATE_LIMIT_EXCEEDED", f"A proxy before {address} answered 429. Call less often", status)
    if status >= 500 or status == 408:
        return Unanswered("SERVICE_UNAVAILABLE", f"A proxy before {address} answered {status}. Try again later", status)
    advice = _PROXY_ADVICE.get(str(status)) or _PROXY_ADVICE.get(str(status)[0], "it is not Lookout. Check the address")
    return Unanswered("BAD_ANSWER", f"A proxy before {address} answered {status}: {advice}", status, is_temporary=False)
