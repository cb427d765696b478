#!/usr/bin/env python3
"""nginx before a small server: HTTP/2 and TLS as in the field.

usage: nginx.py FOLDER [PORT]      (an empty folder: certificate cert.pem, configuration, logs)

Connections end after 5 requests (over HTTP/2: GOAWAY). Every answer says `x-protocol` and `x-connection`. `/limited` 429,
`/dead` 502, `/short` 504, `/big` 413 above 1 kB, `/drop` closes without an answer, `/model/` the server that listens on PORT
of this machine. Prints its port; ends, and ends nginx, when its standard input closes. Exit code 69: there is no nginx
here.
"""
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

import lifetime
import plain

CONFIGURATION = """
worker_processes 1; daemon off; error_log {folder}/error.log warn; pid {folder}/nginx.pid;
events {{ worker_connections 512; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  add_header x-protocol $server_protocol always; add_header x-connection $connection always;
  limit_req_zone $server_name zone=all:1m rate=1r/m; limit_req_status 429;
  upstream model {{ server 127.0.0.1:{upstream}; }}
  server {{
    listen 127.0.0.1:{port} ssl http2; server_name localhost;
    ssl_certificate {folder}/cert.pem; ssl_certificate_key {folder}/key.pem;
    keepalive_requests 5; keepalive_timeout 3s;
    location / {{ proxy_pass http://model; }}
    location /limited {{ limit_req zone=all; proxy_pass http://model; }}
    location /short/ {{ proxy_read_timeout 1s; proxy_pass http://model; }}
    location /dead {{ proxy_pass http://127.0.0.1:9; }}
    location /drop {{ return 444; }}
    location /model/ {{ proxy_pass http://127.0.0.1:{model}/; }}
    location /big {{ client_max_body_size 1k; proxy_pass http://model; }}
  }}
}}
"""


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def accepts(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


def main():
    # By default it would end at once and leave the server behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
    if not program:
        sys.exit(69)
    folder = os.path.abspath(sys.argv[1])
    plain.make_certificate(folder)
    upstream = plain.Server(("127.0.0.1", 0), plain.Handler)
    threading.Thread(target=upstream.serve_forever, daemon=True).start()
    port = free_port()
    with open(folder + "/nginx.conf", "w") as file:
        # Without a model that address answers 502, as `/dead` does.
        file.write(CONFIGURATION.format(
            folder=folder, port=port, upstream=upstream.server_address[1], model=(sys.argv[2:] or ["9"])[0]))
    server = subprocess.Popen(
        [program, "-p", folder, "-c", folder + "/nginx.conf", "-e", folder + "/error.log"], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL)
    try:
        while not accepts(port):
            if server.poll() is not None:
                sys.exit("nginx ended: see " + folder + "/error.log")
            time.sleep(0.02)
        print(port, flush=True)
        lifetime.wait()
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
