#!/usr/bin/env python3
"""A small HTTP server that says what it was asked; also a proxy that answers in place of every host.

usage: plain.py [--tls FOLDER | --silent]

With `--tls` it makes cert.pem and key.pem for localhost and 127.0.0.1 in FOLDER, with openssl; with `--silent` it accepts
connections and says nothing.

`/slow` answers after 200 ms, `/hang` never; `/drop` closes the connection instead, and `/drops` says how often. All else: 200, with the request line, headers and the body's length as text.
A `CONNECT` is refused. Prints its port, and ends when its standard input closes.
"""
import os
import ssl
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import lifetime


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    drops = 0

    def answer(self):
        length = int(self.headers.get("content-length") or 0)
        left = length
        while left > 0:
            left -= len(self.rfile.read(min(left, 65_536)))
        if self.path.endswith("/drop"):
            Handler.drops += 1
            self.close_connection = True
            return
        if self.path.endswith("/slow"):
            time.sleep(0.2)
        if self.path.endswith("/hang"):
            time.sleep(60)
        if self.path.endswith("/drops"):
            self.headers["drops"] = str(Handler.drops)
        body = f"{self.requestline}\n{self.headers}body: {length}\nport: {self.client_address[1]}\n".encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_DELETE = answer

    def do_CONNECT(self):
        self.send_error(403)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, *_):
        """Clients that leave are what tests are about."""


def end_with_input():
    lifetime.wait()
    os._exit(0)


def make_certificate(folder):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-keyout", folder + "/key.pem", "-out", folder + "/cert.pem", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
        check=True, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def main():
    held = []
    server = Server(("127.0.0.1", 0), Handler)
    if sys.argv[1:] == ["--silent"]:
        server.process_request = lambda request, address: held.append(request)
    if len(sys.argv) == 3 and sys.argv[1] == "--tls":
        make_certificate(sys.argv[2])
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[2] + "/cert.pem", sys.argv[2] + "/key.pem")
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    print(server.server_address[1], flush=True)
    threading.Thread(target=end_with_input, daemon=True).start()
    server.serve_forever()


if __name__ == "__main__":
    main()
