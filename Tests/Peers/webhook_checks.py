#!/usr/bin/env python3
"""What may be relied on where webhooks come in, checked from outside: `triage stream --listen`.

  webhook_checks.py [--only NAMES] [--load SECONDS RATE] -- TRIAGE [ARGUMENT...]

Starts TRIAGE with a spool in a folder of its own and prints one line a check. Ends with 1 if any failed. With --load
nothing is checked but this: so many posts a second for so long, how long each took, and that every 200 is in the spool
after the server was killed.
"""
import argparse
import hashlib
import hmac
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

SECRET, TOKEN = b"app-secret-of-the-test", b"verify-me"


def delivery(number, text="hi"):
    return json.dumps({"object": "instagram", "entry": [{"id": "17", "time": 1790000000, "messaging": [
        {"sender": {"id": "2"}, "recipient": {"id": "17"}, "timestamp": 1790000000000,
         "message": {"mid": f"mid.{number}", "text": text}}]}]}).encode()


def signature(body, secret=SECRET):
    return "sha256=" + hmac.new(secret, body, hashlib.sha256).hexdigest()


def post(body, sign=None, extra="", length=None):
    sign = signature(body) if sign is None else sign
    line = f"X-Hub-Signature-256: {sign}\r\n" if sign else ""
    return (f"POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{line}{extra}"
            f"Content-Length: {len(body) if length is None else length}\r\n\r\n").encode() + body


def want(condition, words):
    if not condition:
        raise AssertionError(words)


class Server:
    def __init__(self, command, folder, *flags, check=True, environment=None):
        self.spool = os.path.join(folder, "spool.jsonl")
        env = {"TRIAGE_META_APP_SECRET": SECRET.decode(), "TRIAGE_META_VERIFY_TOKEN": TOKEN.decode()}
        self.process = subprocess.Popen(
            [*command[:1], "stream", "--listen", "127.0.0.1:0", "--spool", self.spool, *command[1:], *flags],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
            env=env if environment is None else environment)
        self.port = 0
        line = b""
        while b"listening on" not in line:
            line = self.process.stderr.readline()
            if not line:
                break
        if b"listening on" in line:
            self.port = int(line.split(b":")[2].split(b",")[0])
        elif check:
            raise AssertionError("it does not listen")

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def send(self, data, end=False):
        """Status and body of the answer to bytes; 0 when the connection ended without one."""
        with self.connect() as link:
            link.sendall(data)
            if end:
                link.shutdown(socket.SHUT_WR)
            return self.answer(link)

    def answer(self, link):
        found = b""
        try:
            while True:
                chunk = link.recv(1 << 16)
                if not chunk:
                    break
                found += chunk
        except (ConnectionResetError, socket.timeout):
            pass
        if found.startswith(b"HTTP/1.1 100"):
            found = found.split(b"\r\n\r\n", 1)[1]
        if not found.startswith(b"HTTP/1.1 "):
            return 0, b""
        return int(found[9:12]), found.split(b"\r\n\r\n", 1)[1]

    def stored(self):
        try:
            with open(self.spool, "rb") as file:
                return [json.loads(line)["body"].encode() for line in file]
        except FileNotFoundError:
            return []

    def record(self, seconds=20):
        """The next record on its output; None when there is none in time."""
        line, end = b"", time.monotonic() + seconds
        while not line.endswith(b"\n"):
            if not select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))[0]:
                return None
            byte = os.read(self.process.stdout.fileno(), 1)
            if not byte:
                return None
            line += byte
        return json.loads(line)

    def end(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(20)
        finally:
            self.process.stdout.close()
            self.process.stderr.close()


class Checks:
    def __init__(self, command):
        self.command = command

    def server(self, *flags, **how):
        return Server(self.command, self.folder, *flags, **how)

    def refused(self, server, cases):
        """Each of the requests gets its status, and nothing of any is stored."""
        before = server.stored()
        for name, data, status in cases:
            found = server.send(data)[0]
            want(found == status, f"{name}: {found}, not {status}")
        want(server.stored() == before, "something was stored")

    def handshake(self):
        server = self.server()

        def ask(query, version="1.1"):
            return server.send(f"GET /webhook?{query} HTTP/{version}\r\n\r\n".encode())

        token = TOKEN.decode()
        right = f"hub.mode=subscribe&hub.verify_token={token}&hub.challenge=1158201444"
        want(ask(right) == (200, b"1158201444"), "the handshake is not answered")
        want(ask(right.replace("verify-me", "verify%2Dme"))[0] == 200, "an escaped token is not known")
        for query in (right.replace(token, "other"), right.replace(token, ""), right.replace("subscribe", "x"),
                      "hub.mode=subscribe&hub.challenge=1", right + f"&hub.verify_token={token}", "",
                      right.replace(token, token + "%zz")):
            want(ask(query)[0] == 403, f"{query} was not refused")
        want(ask(right.replace("1158201444", "%3Cscript%3E"))[0] == 400, "markup came back")
        want(server.end() == 143, "its end")

    def stored_first(self):
        server = self.server()
        body = delivery(1, "Qu\u00e9 c\u00e1mara? \U0001f3a5 \u2028 \x7f \"quoted\"")
        want(server.send(post(body))[0] == 200, "a good delivery was refused")
        want(server.stored() == [body], "it is not in the spool, byte for byte")
        record = server.record()
        want(record and record["id"] == "meta:mid.1" and "category" in record["triage"], "it was not answered")
        other = json.dumps(json.loads(delivery(2, "é")), ensure_ascii=False).encode()
        want(server.send(post(other))[0] == 200 and server.stored()[1] == other, "raw UTF-8 was not kept")
        want(os.stat(server.spool).st_mode & 0o077 == 0, "others may read the spool")
        want(server.end() == 143, "its end")

    def forged(self):
        server = self.server()
        body, sign = delivery(1), signature(delivery(1))
        again = json.dumps(json.loads(body), separators=(",", ":")).encode()
        flipped = bytes([body[0]]) + bytes([body[1] ^ 1]) + body[2:]
        sha1 = "sha1=" + hmac.new(SECRET, body, hashlib.sha1).hexdigest()
        self.refused(server, [
            ("no signature", post(body, ""), 403),
            ("SHA-1 alone", post(body, "", f"X-Hub-Signature: {sha1}\r\n"), 403),
            ("upper case", post(body, "sha256=" + sign[7:].upper()), 403),
            ("upper-case name", post(body, "SHA256=" + sign[7:]), 403),
            ("a digit less", post(body, sign[:-1]), 403), ("a digit more", post(body, sign + "0"), 403),
            ("no digits", post(body, "sha256="), 403), ("no hex", post(body, sign[:-1] + "g"), 403),
            ("written anew", post(again, sign), 403), ("a bit changed", post(flipped, sign), 403),
            ("a bit of the signature", post(body, sign[:-1] + ("0" if sign[-1] != "0" else "1")), 403),
            ("header twice", post(body, sign, f"X-Hub-Signature-256: {sign}\r\n"), 403),
            ("both in one", post(body, sign + ", " + sign), 403),
            ("an empty secret", post(body, signature(body, b"")), 403),
            ("another secret", post(body, signature(body, SECRET + b"x")), 403),
            ("an empty body", post(b"", sign), 403),
            ("not UTF-8", post(b'{"x":"\xff"}', signature(b'{"x":"\xff"}')), 400),
        ])
        want(server.end() == 143, "its end")

    def framing(self):
        server = self.server("--max-body", "5000")
        body = delivery(1)
        good = post(body)
        sign = f"X-Hub-Signature-256: {signature(body)}\r\n"
        head = f"POST /webhook HTTP/1.1\r\n{sign}"
        size = f"Content-Length: {len(body)}\r\n"

        def odd(text):
            return text.encode("latin-1") + b"\r\n" + body

        self.refused(server, [
            ("no length", odd(head), 411), ("length twice", odd(head + size + size), 400),
            ("two lengths", odd(head + size + "Content-Length: 3\r\n"), 400),
            ("a list of lengths", odd(head + f"Content-Length: {len(body)}, {len(body)}\r\n"), 400),
            ("a sign", odd(head + f"Content-Length: +{len(body)}\r\n"), 400),
            ("hex", odd(head + "Content-Length: 0x10\r\n"), 400),
            ("a negative length", odd(head + "Content-Length: -1\r\n"), 400),
            ("a length beyond numbers", odd(head + "Content-Length: 99999999999999999999\r\n"), 413),
            ("too large", post(b"x" * 5001), 413),
            ("chunked", odd(head + "Transfer-Encoding: chunked\r\n"), 411),
            ("chunked and length", odd(head + size + "Transfer-Encoding: chunked\r\n"), 400),
            ("length and odd coding", odd(head + size + "Transfer-Encoding: \x0bchunked\r\n"), 400),
            ("a blank before the colon", odd(head + size.replace(":", " :")), 400),
            ("a folded header", odd(head + "X: a\r\n b\r\n" + size), 400),
            ("a folded first header", odd(head.replace("\r\n", "\r\n ", 1) + size), 400),
            ("a bare LF", odd((head + size).replace("\r\n", "\n") + "X: y\r\n"), 400),
            ("a bare CR", odd(head + "X: a\rContent-Length: 3\r\n" + size), 400),
            ("a NUL", odd(head + "X: a\0b\r\n" + size), 400), ("no name", odd(head + ": x\r\n" + size), 400),
            ("a whole address", good.replace(b"/webhook", b"http://x/webhook"), 400),
            ("another version", good.replace(b"HTTP/1.1", b"HTTP/2.0"), 505),
            ("no version", good.replace(b" HTTP/1.1", b""), 400),
            ("lower case", good.replace(b"POST", b"post"), 400), ("another method", good.replace(b"POST", b"PUT"), 400),
            ("DELETE", b"DELETE / HTTP/1.1\r\n\r\n", 405), ("a body of GET", good.replace(b"POST", b"GET"), 400),
            ("a head without end", b"GET /" + b"x" * 20_000, 431),
            ("many headers", b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 200 + b"\r\n", 431),
            ("rubbish", b"\x16\x03\x01\x02\x00\x01", 400),
        ])
        want(server.send(post(body).replace(b"Host: x\r\n", b""))[0] == 200, "a request without Host")
        want(server.send(post(delivery(2), extra="Expect: 100-continue\r\n"))[0] == 200, "100-continue")
        # What stands behind a request is no request.
        want(server.send(post(delivery(3)) + post(delivery(4)))[0] == 200, "two in one")
        want(server.stored() == [body, delivery(2), delivery(3)], "what follows a request was taken for one")
        want(server.end() == 143, "its end")

    def slow(self):
        server = self.server("--request-timeout", "1.5")
        late = server.connect()
        late.sendall(post(delivery(1))[:-5])
        drip = server.connect()
        idle = [server.connect() for _ in range(700)]
        time.sleep(0.1)
        start = time.monotonic()
        want(server.send(post(delivery(2)))[0] == 200, "a good one was not served")
        want(time.monotonic() - start < 5, "a good one had to wait")
        for link in idle:
            link.close()
        late.close()
        drip.close()
        late = server.connect()
        late.sendall(post(delivery(1))[:-5])
        start = time.monotonic()
        drip = server.connect()
        end = threading.Event()

        def trickle():
            for byte in post(delivery(3)):
                if end.wait(0.05):
                    return
                try:
                    drip.sendall(bytes([byte]))
                except OSError:
                    return

        thread = threading.Thread(target=trickle)
        thread.start()
        want(server.answer(late)[0] == 408, "a body that does not come is waited for")
        want(server.answer(drip)[0] in (408, 0), "a body that drips is waited for")
        want(time.monotonic() - start < 15, "they were waited for too long")
        end.set()
        thread.join()
        want(server.stored() == [delivery(2)], "something half was stored")
        want(server.end() == 143, "its end")

    def again(self):
        server = self.server()
        for _ in range(3):
            want(server.send(post(delivery(1)))[0] == 200, "a repeated delivery is acknowledged too")
        want(server.send(post(delivery(2)))[0] == 200, "the next")
        want([server.record()["id"], server.record()["id"]] == ["meta:mid.1", "meta:mid.2"], "a message was answered twice")
        os.rename(server.spool, server.spool + ".1")
        want(server.send(post(delivery(3)))[0] == 200 and server.stored() == [delivery(3)], "no new spool was begun")
        want(server.record()["id"] == "meta:mid.3", "the new spool is not read")
        want(server.end() == 143, "its end")
        # What is on disk is read again where that is asked for.
        server = self.server("--from-start")
        want(server.record()["id"] == "meta:mid.3", "from the start")
        server.end()

    def start(self):
        def status(*flags, **how):
            server = self.server(*flags, check=False, **how)
            server.process.kill() if server.port else None
            return server.process.wait(20)

        secret = os.path.join(self.folder, "secret")
        with open(secret, "wb") as file:
            file.write(SECRET + b"\n")
        os.chmod(secret, 0o644)
        want(status(environment={}) == 78, "it listens without a secret")
        want(status("--app-secret-file", secret, environment={}) == 78, "others may read the secret")
        os.chmod(secret, 0o600)
        first = self.server("--app-secret-file", secret, environment={})
        want(first.send(post(delivery(1)))[0] == 200, "with a secret of a file")
        want(first.send(b"GET /?hub.mode=subscribe&hub.verify_token=&hub.challenge=1 HTTP/1.1\r\n\r\n")[0] == 403,
             "a handshake without a token that was agreed on")
        want(status() == 75, "two with one spool")
        first.end(signal.SIGKILL)
        os.rename(first.spool, first.spool + ".x")
        os.symlink(first.spool + ".x", first.spool)
        want(status() == 73, "a symbolic link was followed")

    def kill(self):
        for number in (signal.SIGKILL, signal.SIGTERM):
            server = self.server()
            taken = load(server, 1.2, 300, number)[0]
            stored = set(server.stored())
            want(taken and all(delivery(n) in stored for n in taken), "a 200 is not on disk")
            os.unlink(server.spool)


def load(server, seconds, rate, number):
    """Posts for a while, then ends the server; the numbers that got 200, and how long each took."""
    taken, times, lock, begin = [], [], threading.Lock(), time.monotonic()
    next_one = iter(range(1 << 30))
    # Nobody waits for the records, but they have to go somewhere.
    threading.Thread(target=lambda: [None for _ in iter(lambda: os.read(server.process.stdout.fileno(), 1 << 16), b"")],
                     daemon=True).start()

    def client():
        while True:
            with lock:
                place = next(next_one)
            due = begin + place / rate
            if due > begin + seconds:
                return
            time.sleep(max(0, due - time.monotonic()))
            start = time.monotonic()
            try:
                status = server.send(post(delivery(place)))[0]
            except OSError:
                return
            with lock:
                if status == 200:
                    taken.append(place)
                    times.append(time.monotonic() - start)

    threads = [threading.Thread(target=client) for _ in range(16)]
    for thread in threads:
        thread.start()
    time.sleep(seconds * 0.9)
    server.process.send_signal(number)
    server.process.wait(20)
    for thread in threads:
        thread.join()
    return taken, sorted(times)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--load", nargs=2, type=float)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    checks, failures = Checks(options.command), 0
    if options.load:
        folder = tempfile.mkdtemp(prefix="webhook-load.")
        server = Server(options.command, folder)
        taken, times = load(server, *options.load, signal.SIGKILL)
        stored = set(server.stored())
        lost = sum(delivery(n) not in stored for n in taken)
        print(json.dumps({"acknowledged": len(taken), "not_in_the_spool": lost,
                          "p50_ms": round(times[len(times) // 2] * 1e3, 2),
                          "p99_ms": round(times[int(len(times) * .99)] * 1e3, 2), "most_ms": round(times[-1] * 1e3, 2)}))
        shutil.rmtree(folder)
        return 1 if lost else 0
    names = ["handshake", "stored_first", "forged", "framing", "slow", "again", "start", "kill"]
    for name in names:
        if options.only and name not in options.only.split(","):
            continue
        checks.folder = tempfile.mkdtemp(prefix="webhook-checks.")
        start = time.monotonic()
        try:
            getattr(checks, name)()
            print(f"ok     {name} [{time.monotonic() - start:.1f} s]", flush=True)
        except Exception as fault:  # any fault is a finding
            failures += 1
            print(f"FAILED {name}: {type(fault).__name__} {fault}", flush=True)
        shutil.rmtree(checks.folder)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
