"""What git runs as pre-receive, update and post-receive: asks the stand-in and does as told.

It is copied beside the repositories and runs alone, under `python -IS`, so that a push stays quick.
"""

import json
import os
import socket
import sys


def ask(body: dict) -> dict:  # type: ignore[type-arg]
    """Post to the stand-in and return its answer."""
    data = json.dumps(body).encode()
    head = (
        f"POST /_stand_in/git-hook HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(data)}\r\nConnection: close\r\n\r\n"
    )
    with connect() as link:
        link.sendall(head.encode() + data)
        answer = b""
        while chunk := link.recv(65536):
            answer += chunk
    return json.loads(answer.split(b"\r\n\r\n", 1)[1])  # type: ignore[no-any-return]


def connect() -> socket.socket:
    """Return a connection to the stand-in on this machine; a private certificate is not checked here."""
    link = socket.create_connection(("127.0.0.1", int(os.environ["STAND_IN_PORT"])), timeout=120)
    if not os.environ.get("STAND_IN_TLS"):
        return link
    import ssl

    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context.wrap_socket(link)


def main() -> int:
    """Return the hook's status."""
    hook = os.path.basename(sys.argv[1])
    if hook == "update":
        updates = [[sys.argv[3], sys.argv[4], sys.argv[2]]]
    else:
        updates = [line.split(" ", 2) for line in sys.stdin.read().splitlines()]
    count = int(os.environ.get("GIT_PUSH_OPTION_COUNT") or 0)
    body = {
        "hook": hook,
        "updates": updates,
        "options": [os.environ[f"GIT_PUSH_OPTION_{index}"] for index in range(count)],
        **{
            name.lower(): os.environ.get(f"STAND_IN_{name}", "")
            for name in ("SECRET", "PROJECT", "USER", "KIND", "MOVED")
        },
        "env": {
            name: os.environ[name]
            for name in ("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH")
            if name in os.environ
        },
    }
    answer = ask(body)
    if answer.get("text"):
        print(answer["text"], file=sys.stderr)
    return 0 if answer.get("ok") else 1


if __name__ == "__main__":
    sys.exit(main())
