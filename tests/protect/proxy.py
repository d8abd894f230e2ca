"""A small real proxy: it passes requests on, and CONNECT through; ``seen`` holds what it was asked for."""

from __future__ import annotations

import http.client
import select
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

SECONDS = 20


class Proxy(ThreadingHTTPServer):
    """The proxy, on a port of its own; ``needs`` is the ``Proxy-Authorization`` it asks for, "" none."""

    daemon_threads = True

    def __init__(self, needs: str = "") -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.needs = needs
        self.seen: list[str] = []
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def __exit__(self, *args: object) -> None:
        self.shutdown()
        super().__exit__(*args)


class _Handler(BaseHTTPRequestHandler):
    server: Proxy

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def refused(self) -> bool:
        self.server.seen.append(f"{self.command} {self.path}")
        if self.server.needs and self.headers.get("Proxy-Authorization") != self.server.needs:
            self.send_error(407)
            return True
        return False

    def do_CONNECT(self) -> None:
        if self.refused():
            return
        host, _, port = self.path.rpartition(":")
        with socket.create_connection((host, int(port)), SECONDS) as there:
            self.send_response(200)
            self.end_headers()
            ends = {self.connection: there, there: self.connection}
            while True:
                ready, _, _ = select.select(list(ends), [], [], SECONDS)
                for end in ready:
                    chunk = end.recv(1 << 16)
                    if not chunk:
                        return
                    ends[end].sendall(chunk)
                if not ready:
                    return

    def pass_on(self) -> None:
        if self.refused():
            return
        parts = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name: text for name, text in self.headers.items() if not name.lower().startswith("proxy-")}
        there = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=SECONDS)
        there.request(self.command, f"{parts.path}?{parts.query}" if parts.query else parts.path, body, headers)
        answer = there.getresponse()
        content = answer.read()
        self.send_response(answer.status)
        for name, text in answer.getheaders():
            if name.lower() not in ("transfer-encoding", "content-length", "connection"):
                self.send_header(name, text)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        there.close()


for _verb in ("GET", "POST", "PUT", "PATCH", "DELETE"):
    setattr(_Handler, f"do_{_verb}", _Handler.pass_on)
