"""A file sent as a browser sends it, with the token against forged requests."""

import http.client
from http import HTTPStatus
from http.cookies import SimpleCookie
from urllib.parse import urlsplit

_BOUNDARY = "visitor-boundary"


class VisitError(RuntimeError):
    """What a visitor would report: an exception on the page, no answer, a lost connection."""


def put(url: str, name: str, data: bytes, patience: float) -> None:
    """Send a file to an address that the server gave for it; ``patience`` in seconds."""
    address = urlsplit(url)
    connection = http.client.HTTPConnection(address.netloc, timeout=patience)
    connection.request("GET", "/_stcore/health")
    answer = connection.getresponse()
    answer.read()
    cookie = SimpleCookie(answer.headers.get("Set-Cookie", ""))["_streamlit_xsrf"].value
    head = f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    body = head.encode() + data + f"\r\n--{_BOUNDARY}--\r\n".encode()
    headers = {
        "Content-Type": f"multipart/form-data; boundary={_BOUNDARY}",
        "X-Xsrftoken": cookie,
        "Cookie": f"_streamlit_xsrf={cookie}",
    }
    connection.request("PUT", address.path, body, headers)
    status = connection.getresponse().status
    connection.close()
    if status >= HTTPStatus.BAD_REQUEST:
        raise VisitError(f"The upload was refused with status {status}.")
