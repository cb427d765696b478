#!/usr/bin/env python3
"""What may be relied on of the page's server, checked from outside: `triage review`.

  review_checks.py [--only NAMES] [--measure COUNT] -- TRIAGE [ARGUMENT...]

Starts TRIAGE with a store in a folder of its own and prints one line a check. Ends with 1 if any failed. ARGUMENTs go to
every command that takes rules. With --measure nothing is checked but how long lists and searches take in a store of so
many messages.
"""
import argparse
import http.client
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

LIBRARY = """# answers of mine
- id: shipping
  question: Do you ship parcels to Canada?
  answer: Not yet.
"""
CREATOR = """# who I am
name: Ann
niches: [pottery]   # more to come
languages: [en]
# the rest
timezone: Europe/Lisbon
"""
TEXTS = [
    "Love your videos so much!", "Hi! We are Glow Skincare and would love to pay you $5,000 for two reels. Contact: "
    "pr@glow.example", "I will hurt myself tonight", "Buy 10k followers now!!! crypto giveaway http://x.example",
    "You are the worst, I hate you and your disgusting videos", "Which glaze do you use on the blue mugs?",
]


def want(condition, words):
    if not condition:
        raise AssertionError(words)


def record(number, text, **more):
    """A message. Two senders in all: the same text of three would be a campaign, and one row."""
    return {"id": f"m{number}", "platform": "instagram", "conversation_id": f"c{number % 40}",
            "sender": {"id": f"u{number % 2}", "name": f"Person {number}"}, "text": text,
            "sent_at": f"2026-11-{number % 28 + 1:02}T10:00:00Z", **more}


class Server:
    """A server over a store, and a browser that used its link."""

    def __init__(self, command, folder, *flags, port=0, enters=True):
        self.command = command
        self.store = os.path.join(folder, "inbox.db")
        self.words = os.path.join(folder, "words")
        with open(self.words, "wb") as words:
            self.process = subprocess.Popen(
                [*command[:1], "review", "--store", self.store, "--port", str(port), *command[1:], *flags],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=words, cwd=folder)
        self.link = ""
        end = time.monotonic() + 60
        while not self.link and time.monotonic() < end and self.process.poll() is None:
            text = open(self.words, encoding="utf-8").read()
            self.link = next((word for word in text.split() if word.startswith("http://") and "\n" in text), "")
            time.sleep(0.02)
        want(self.link, f"it prints no link: {open(self.words).read()}")
        self.port = int(self.link.split(":")[2].split("/")[0])
        self.host = f"127.0.0.1:{self.port}"
        self.token = self.link.split("=")[1]
        self.cookie = ""
        if enters:
            answer = self.ask("GET", "/?token=" + self.token)
            want(answer.status == 303 and answer.headers["location"] == "/", "the link leads nowhere")
            line = answer.headers["set-cookie"]
            want("HttpOnly" in line and "SameSite=Strict" in line and "Path=/" in line, line)
            self.cookie = line.split(";")[0]

    def ask(self, method, path, body=None, headers=None, timeout=60, raw=False):
        """An answer with its whole body, as `status`, `headers`, `body`."""
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        all_headers = {"Host": self.host, "Cookie": self.cookie}
        if method != "GET":
            all_headers |= {"Origin": "http://" + self.host, "Content-Type": "application/json"}
        all_headers |= headers or {}
        data = body if raw or body is None else json.dumps(body).encode()
        link.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in all_headers.items():
            for one in value if isinstance(value, list) else [value]:
                if one is not None and one != "":
                    link.putheader(name, one)
        if data is not None:
            link.putheader("Content-Length", str(len(data)))
        link.endheaders(data)
        answer = link.getresponse()
        answer.body = answer.read()
        link.close()
        return answer

    def get(self, path):
        answer = self.ask("GET", path)
        want(answer.status == 200, f"{path}: {answer.status} {answer.body[:200]}")
        return json.loads(answer.body)

    def items(self, **query):
        path = "/api/messages?" + "&".join(f"{k}={v}" for k, v in ({"limit": 200} | query).items())
        return self.get(path)["items"]

    def decide(self, item, field, value, request=None, **more):
        body = {"request": request or f"r-{random.getrandbits(64):x}-x", "key": item["key"], "field": field,
                "value": value} | more
        # As a browser writes it: `é` is two bytes and not the six of an escape.
        return self.ask("POST", "/api/decisions", json.dumps(body, ensure_ascii=False).encode(), raw=True)

    def undo(self):
        return self.ask("POST", "/api/undo", {"request": f"u-{random.getrandbits(64):x}-x"})

    def kill(self, number=signal.SIGKILL):
        self.process.send_signal(number)
        return self.process.wait(60)


class Checks:
    def __init__(self, command):
        self.command = command
        self.servers = []

    def place(self, name):
        return os.path.join(self.folder, name)

    def run(self, *words, status=0):
        done = subprocess.run([self.command[0], *words], capture_output=True, cwd=self.folder, timeout=120)
        want(done.returncode == status, f"{words[:2]}: {done.returncode} {done.stderr[-300:]}")
        return done

    def fill(self, records, *flags):
        with open(self.place("in.jsonl"), "w", encoding="utf-8") as file:
            file.writelines(json.dumps(one) + "\n" for one in records)
        self.run("sync", "in.jsonl", "--store", "inbox.db", "-q", *self.command[1:], *flags)

    def serve(self, *flags, **more):
        server = Server(self.command, self.folder, *flags, **more)
        self.servers.append(server)
        return server

    def end(self):
        for server in self.servers:
            if server.process.poll() is None:
                server.kill()
        self.servers = []

    def small(self, *flags, count=12):
        self.fill([record(n, f"{TEXTS[n % len(TEXTS)]} number{n}") for n in range(count)], *flags)
        return self.serve(*flags)

    # Who may come in

    def strangers(self):
        server = self.small()
        for host in ["evil.example", f"evil.example:{server.port}", f"127.0.0.1:{server.port + 1}", "127.0.0.1",
                     f"127.0.0.1.evil.example:{server.port}", "", [server.host, server.host]]:
            want(server.ask("GET", "/api/state", headers={"Host": host}).status in (400, 421), f"Host {host}")
        local = {"Host": f"localhost:{server.port}"}
        want(server.ask("GET", "/api/state", headers=local).status == 200, "localhost is refused")
        for headers in [{"Origin": "null"}, {"Origin": "http://evil.example"}, {"Origin": f"https://{server.host}"},
                        {"Origin": f"http://localhost:{server.port}"}, {"Origin": ["http://" + server.host] * 2},
                        {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}]:
            want(server.ask("GET", "/api/state", headers=headers).status == 403, f"GET {headers}")
        item = server.items()[0]
        body = {"request": "stranger1", "key": item["key"], "field": "category", "value": "spam"}
        for headers in [{"Origin": "null"}, {"Origin": None}, {"Origin": None, "Sec-Fetch-Site": "none"},
                        {"Origin": None, "Sec-Fetch-Site": "cross-site"}, {"Cookie": None}, {"Cookie": "x=y"},
                        {"Cookie": server.cookie[:-1]}, {"Cookie": server.cookie + "0"}]:
            want(server.ask("POST", "/api/decisions", body, headers).status == 403, f"POST {headers}")
        for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", None,
                     "application/jsonp"]:
            want(server.ask("POST", "/api/decisions", body, {"Content-Type": kind}).status == 415, f"type {kind}")
        for method in ["DELETE", "PATCH", "OPTIONS", "TRACE", "HEAD"]:
            want(server.ask(method, "/api/state").status == 405, method)
        want(server.get("/api/state")["counts"]["decided"] == 0, "a stranger decided")

    def links(self):
        server = self.small()
        wrong = ("0" if server.token[0] != "0" else "1") + server.token[1:]
        for token in [wrong, server.token, server.token[:-1], "", server.token + "x", "%00"]:
            answer = server.ask("GET", "/?token=" + token, headers={"Cookie": None})
            want(answer.status == 403 and "set-cookie" not in answer.headers, f"token {token}: {answer.status}")
        used = server.ask("GET", "/?token=" + server.token, headers={"Cookie": None}).body
        want(b"start it again" in used, "nobody says how to get a new link")
        want(server.ask("GET", "/?token=" + server.token).status == 303, "who is in may use the link again")
        for path in ["/", "/review.css", "/review.js", "/api/state", "/api/messages", "/api/events", "/api/faq",
                     "/api/profile", "/api/settings", "/nothing"]:
            want(server.ask("GET", path, headers={"Cookie": None}).status == 403, f"{path} without a cookie")
        # Many who try at once: one gets in.
        second = self.serve(enters=False)
        found = []
        threads = [threading.Thread(target=lambda: found.append(
            second.ask("GET", "/?token=" + second.token).status)) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        want(sorted(found) == [303] + [403] * 11, f"{found}")

    def paths(self):
        server = self.small()
        with open(self.place("secret.txt"), "w", encoding="utf-8") as file:
            file.write("top secret")
        for path in ["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/%2e%2e%2fsecret.txt", "//secret.txt",
                     "/review/../secret.txt", "/..\\secret.txt", "/%5c..%5csecret.txt", "/secret.txt", "/./review.js",
                     "//review.js", "/review.js/", "/Review.js", "/review.js%00.html", "/%72eview.js", "/inbox.db",
                     "/api/messages/../state", "/api/messages/", "/api/messages/" + "0" * 32,
                     "/api/messages/%2e%2e", "/api/messages/" + "f" * 4000, "/api//state", "/api/state/"]:
            answer = server.ask("GET", path)
            want(answer.status == 404 and b"secret" not in answer.body, f"{path}: {answer.status}")
        for path in ["/api/messages?view=none", "/api/messages?limit=0", "/api/messages?limit=201",
                     "/api/messages?offset=-1", "/api/messages?x=1", "/api/messages?q=a&q=b", "/api/messages?q=%ff",
                     "/api/messages?q=%zz", "/api/messages?sort=seq%3bDROP"]:
            want(server.ask("GET", path).status == 400, path)
        for words in ["%22", "*", "a*b*", "%27%20OR%201%3d1", "NEAR(a%20b)", "text%3a", "-love", "%e6%97%a5", "%00", "^a"]:
            want(server.ask("GET", "/api/messages?q=" + words).status == 200, f"q={words}")

    def bodies(self):
        server = self.small()
        big = b'{"x":"' + b"a" * (70 << 10) + b'"}'
        want(server.ask("POST", "/api/decisions", big, raw=True).status == 413, "a large body is taken")
        for bad in [b"", b"{", b"[]", b"null", b'"x"', b"\xff", b'{"a":1}x', b"[" * 5000, b'{"request":1}', b"{}"]:
            for path in ["/api/decisions", "/api/undo", "/api/faq"]:
                status = server.ask("POST", path, bad, raw=True).status
                want(status in (400, 422), f"{bad[:20]} {path}: {status}")
            want(server.ask("PUT", "/api/profile", bad, raw=True).status in (400, 422), f"{bad[:20]}")
        item = server.items()[0]
        for field, value in [("category", "other"), ("category", None), ("sentiment", True), ("urgent", "maybe"),
                             ("faq", "perhaps"), ("draft", "sent"), ("draft_rating", "great"),
                             ("draft_rating", True), ("opportunity", "taken"), ("seen", False),
                             ("text", "x"), ("category'; DROP TABLE feedback; --", "spam")]:
            want(server.decide(item, field, value).status == 422, f"{field} {value}")
        for request in ["short", "a" * 101, "with blank", "x'; --xxxx", None]:
            body = {"request": request, "key": item["key"], "field": "category", "value": "spam"}
            want(server.ask("POST", "/api/decisions", body).status == 422, f"request {request}")
        want(server.decide({"key": "0" * 32}, "category", "spam").status == 404, "a message that is not there")
        want(server.decide({"key": "%"}, "category", "spam").status == 404, "a key that is none")
        raw = [b"GET / HTTP/1.1\r\n\r\n", b"GET /\r\n\r\n", b"\x16\x03\x01\x00", b"GET http://evil.example/ HTTP/1.1\r\n\r\n",
               b"GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
               b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 200 + b"\r\n", b"GET / HTTP/1.1\r\nx: " + b"a" * (20 << 10) + b"\r\n\r\n"]
        for data in raw:
            with socket.create_connection(("127.0.0.1", server.port), timeout=30) as link:
                link.sendall(data)
                status = int(link.makefile("rb").read().split(b" ")[1])
                want(400 <= status < 506, f"{data[:30]}: {status}")
        want(server.get("/api/state")["counts"]["decided"] == 0, "something was decided")

    def slow(self):
        """Those who say little hold nobody up, and are let go."""
        server = self.small()
        idle = []
        for number in range(100):
            link = socket.create_connection(("127.0.0.1", server.port), timeout=30)
            link.sendall([b"GET /", b"POST /api/undo HTTP/1.1\r\nContent-Length: 60000\r\n\r\n{", b"", b"G"][number % 4])
            idle.append(link)
        is_done = threading.Event()
        dripped = []

        def drip():
            with socket.create_connection(("127.0.0.1", server.port), timeout=60) as link:
                start = time.monotonic()
                try:
                    link.sendall(b"GET /api/state HTTP/1.1\r\nX: ")
                    while time.monotonic() - start < 60:
                        link.sendall(b"a")
                        link.settimeout(1)
                        try:
                            if link.recv(4096) is not None:
                                break
                        except TimeoutError:
                            continue
                except OSError:
                    pass
                dripped.append(time.monotonic() - start)
                is_done.set()

        thread = threading.Thread(target=drip)
        thread.start()
        served = 0
        while not is_done.is_set() and served < 400:
            want(server.ask("GET", "/api/messages?limit=5", timeout=20).status == 200, "somebody slow holds it up")
            served += 1
            time.sleep(0.05)
        thread.join(90)
        want(dripped and dripped[0] < 55, f"a slow head is waited for: {dripped}")
        want(served > 20, f"served {served}")
        for link in idle:
            link.close()
        want(server.ask("GET", "/api/state").status == 200, "it does not answer any more")

    # What comes out

    def headers(self):
        server = self.small()
        nonces = set()
        answers = [server.ask("GET", path) for path in ["/", "/", "/review.css", "/review.js", "/api/state", "/none"]]
        answers += [server.ask("GET", "/", headers={"Cookie": None}), server.ask("GET", "/", headers={"Host": "x"}),
                    server.ask("GET", "/?token=x", headers={"Cookie": None}), server.ask("DELETE", "/"), server.undo(),
                    server.ask("POST", "/api/undo", b"{", raw=True)]
        for answer in answers:
            policy = answer.headers["content-security-policy"]
            for part in ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]:
                want(part in policy, f"{part} is not in {policy}")
            want("unsafe" not in policy and "*" not in policy and "http" not in policy, policy)
            for name, value in [("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"),
                                ("cache-control", "no-store"), ("x-frame-options", "DENY")]:
                want(answer.headers[name] == value, f"{answer.status}: {name}")
        for answer in answers[:2]:
            nonce = answer.headers["content-security-policy"].split("script-src 'nonce-")[1].split("'")[0]
            want(len(nonce) > 20 and f'nonce="{nonce}"'.encode() in answer.body, "the page has another nonce")
            want(b"{{nonce}}" not in answer.body, "a mark is left")
            nonces.add(nonce)
        want(len(nonces) == 2, "a nonce comes twice")
        want(sum(len(answer.body) for answer in answers[1:4]) < 150 << 10, "the page is too large")

    def hostile(self):
        """What is in messages comes out as the same text, whatever it is."""
        with open(os.path.join(os.path.dirname(__file__), "hostile_texts.json"), encoding="utf-8") as file:
            texts = json.load(file)
        want(len(texts) >= 60, f"{len(texts)} texts")
        records = [record(n, text) | {"conversation_title": text, "conversation_id": text, "id": f"{n} {text}",
                                      "sender": {"id": text, "name": text, "handle": text}}
                   for n, text in enumerate(texts)]
        self.fill(records)
        server = self.serve()
        answer = server.ask("GET", "/api/messages?limit=200")
        want(answer.headers["content-type"].startswith("application/json"), answer.headers["content-type"])
        items = {item["id"]: item for item in json.loads(answer.body)["items"]}
        want(len(items) == len(texts), f"{len(items)} of {len(texts)}")
        for one in records:
            item = items[one["id"].replace("\0", "\ufffd")]
            name = one["text"].replace("\0", "\ufffd")
            # Counted as code points, as the preview is cut.
            want(item["preview"] == one["text"][:240], f"preview of {one['text'][:40]!r}")
            want(item["from"] == name and item["conversation"] == name, f"sender of {one['text'][:40]!r}")
            whole = server.get("/api/messages/" + item["key"])
            want(whole["text"] == one["text"], f"text of {one['text'][:40]!r}")
            want(whole["record"]["text"] == one["text"], f"record of {one['text'][:40]!r}")
            encoded = one["text"].encode()
            for question in whole["record"]["triage"].values():
                for reason in question.get("because", []) if isinstance(question, dict) else []:
                    if "quote" in reason:
                        want(encoded[reason["start"]:reason["end"]].decode() == reason["quote"], "evidence is off")
            want(server.decide(item, "seen", True).status == 200, f"decision on {one['text'][:40]!r}")

    # Decisions

    def decisions(self):
        server = self.small(count=120)
        items = server.items()
        item = items[0]
        for _ in range(3):
            want(server.decide(item, "category", "spam", "the-same-request").status == 200, "a decision is refused")
        rows = server.get("/api/messages/" + item["key"])["corrections"]
        want(len(rows) == 1 and rows[0]["source"] == "review", f"{rows}")
        want(server.get("/api/messages?view=spam&decided=yes")["total"] == 1, "the list does not know")
        want(self.run("list", "--view", "spam", "--store", "inbox.db", "--to", "jsonl").stdout.count(b"\n")
             == server.get("/api/messages?view=spam")["total"], "the command line counts otherwise")
        want(json.loads(server.undo().body)["undo"] == 0, "undo is wrong")
        want(server.undo().status == 409, "there was nothing to undo")
        # The same request again, after it was undone: it was kept once and stays undone.
        want(server.decide(item, "category", "spam", "the-same-request").status == 200, "a retry is refused")
        want(server.get("/api/state")["undo"] == 0, "a retry did what was undone")
        for place, one in enumerate(items[:100]):
            label = ["fan", "business", "spam"][place % 3]
            want(json.loads(server.decide(one, "category", label).body)["undo"] == place + 1, "the count is off")
        # Half before and half after another process takes over.
        for left in range(99, 49, -1):
            want(json.loads(server.undo().body)["undo"] == left, f"undo {left}")
        server.kill()
        server = self.serve()
        want(server.get("/api/state")["undo"] == 50, "undo does not survive")
        for left in range(49, -1, -1):
            found = json.loads(server.undo().body)
            want(found["undo"] == left and found["key"] == items[left]["key"], f"undo {left}: {found}")
        want(server.undo().status == 409 and server.get("/api/state")["counts"]["decided"] == 0, "something is left")
        again = {"request": "undo-the-same", "x": 1}
        server.decide(items[0], "urgent", True)
        server.decide(items[1], "urgent", True)
        want([json.loads(server.ask("POST", "/api/undo", again).body)["undo"] for _ in range(3)] == [1, 1, 1],
             "an undo that comes again undoes more")
        stats = json.loads(self.run("stats", "--store", "inbox.db", "--to", "json").stdout)
        want(stats["agreement"]["urgent"]["asked"] == 1, f"{stats['agreement']}")

    def reasons(self):
        """Why, and the words of an edited draft, are kept as they are; what is too long is refused whole."""
        server = self.small()
        item = next(item for item in server.items() if item["draft"])
        words = "Gern! \"Yes\" <b>\\n\r\n\u0007 \u202e陶芸 مرحبا \U0001f600"
        edges = ["é" * 1000, words, "x" * 2000]
        for note in edges:
            want(server.decide(item, "draft", "dismissed", note=note).status == 200, f"note {note[:20]!r}")
        for text in [words, "é" * (16 << 10), ""]:
            want(server.decide(item, "draft", "edited", text=text).status == 200, f"text {text[:20]!r}")
        # Words of a reply belong to a draft that was edited, and no reason is none.
        want(server.decide(item, "draft_rating", "bad", note="", text=words).status == 200, "a rating")
        found = server.get("/api/messages/" + item["key"])["corrections"]
        want([row.get("note") for row in found] == edges + [None] * 4, f"{[row.get('note') for row in found]}"[:300])
        want([row.get("text") for row in found] == [None] * 3 + [words, "é" * (16 << 10), "", None],
             f"{[row.get('text') for row in found]}"[:300])
        want(found[-1]["field"] == "draft_rating" and found[-1]["value"] == "bad", f"{found[-1]}")
        listed = [json.loads(line) for line in self.run(
            "feedback", "list", "--store", "inbox.db", "--to", "jsonl").stdout.splitlines()]
        want([(row.get("note"), row.get("text")) for row in reversed(listed)]
             == [(row.get("note"), row.get("text")) for row in found], "the command line says otherwise")
        for more in [{"note": "x" * 2001}, {"note": "é" * 1001}, {"text": "x" * ((32 << 10) + 1)},
                     {"note": "x" * 2001, "text": "x"}, {"note": "x", "text": "é" * (16 << 10) + "x"}]:
            answer = server.decide(item, "draft", "edited", **more)
            want(answer.status == 422 and json.loads(answer.body)["error"]["code"] == "review.too-long",
                 f"{answer.status} {answer.body[:200]}")
        for value in ["great", "", None, True, 1]:
            want(server.decide(item, "draft_rating", value).status == 422, f"draft_rating {value}")
        none = next(item for item in server.items() if not item["draft"])
        want(server.decide(none, "draft_rating", "good").status == 422, "a draft that is not there is good")
        want(len(server.get("/api/messages/" + item["key"])["corrections"]) == 7, "something refused was kept")
        # A rating settles nothing.
        other = next(one for one in server.items() if one["draft"] and one["key"] != item["key"])
        want(server.decide(other, "draft_rating", "good").status == 200, "a rating is refused")
        # At once: what is read anew from the store is another thing.
        want(server.get("/api/state")["counts"]["decided"] == 1, "a rating counts as a decision")
        want(not server.get("/api/messages/" + other["key"])["item"]["decided"], "a rating decides")
        want(json.loads(server.undo().body)["field"] == "draft_rating", "a rating cannot be taken back")

    def killed(self):
        """Nothing that was answered with ok is lost, whenever the server is killed."""
        self.fill([record(n, f"{TEXTS[n % 6]} number{n}") for n in range(60)])
        kept, keys = {}, []
        for turn in range(6):
            server = self.serve()
            if not keys:
                keys = [item["key"] for item in server.items()]
            stop = threading.Timer(random.uniform(0.05, 0.4), server.process.kill)
            stop.start()
            number = 0
            while True:
                key = keys[number % len(keys)]
                label = ["fan", "business", "spam"][(number + turn) % 3]
                try:
                    answer = server.decide({"key": key}, "category", label, f"kill-{turn}-{number}")
                except (OSError, http.client.HTTPException):
                    # Nobody was told what became of this one.
                    kept.pop(key, None)
                    break
                want(answer.status == 200, f"{answer.status}")
                kept[key] = label
                number += 1
            stop.join()
            server.process.wait(30)
        server = self.serve()
        items = {item["key"]: item for item in server.items()}
        lost = [key for key, label in kept.items() if items[key]["category"] != label]
        want(len(kept) > 20 and not lost, f"{len(lost)} of {len(kept)} are lost")

    def together(self):
        """Decisions are kept while a sync and a command line write to the same store."""
        server = self.small()
        lines = [record(n, f"{TEXTS[n % 6]} later{n}") for n in range(1000, 4000)]
        with open(self.place("more.jsonl"), "w", encoding="utf-8") as file:
            file.writelines(json.dumps(one) + "\n" for one in lines)
        sync = subprocess.Popen([self.command[0], "sync", "more.jsonl", "--store", "inbox.db", "-q", *self.command[1:]],
                                cwd=self.folder, stderr=subprocess.DEVNULL)
        count = 0
        items = server.items()[:12]
        while sync.poll() is None or count < 12:
            want(server.decide(items[count % 12], "sentiment", "positive").status == 200, "a decision had to wait")
            count += 1
        want(sync.returncode == 0, "the sync failed")
        self.run("feedback", "id:m3", "--category", "business", "--store", "inbox.db")
        end = time.monotonic() + 60
        while server.get("/api/state")["counts"]["all"] != 3012 and time.monotonic() < end:
            time.sleep(0.1)
        state = server.get("/api/state")
        want(state["counts"]["all"] == 3012 and state["undo"] == min(count, 1000), f"{state}")
        want(server.get("/api/messages?view=business&decided=yes&q=number3")["total"] == 1, "feedback is not seen")

    def events(self):
        server = self.small()
        link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        link.request("GET", "/api/events", headers={"Host": server.host, "Cookie": server.cookie})
        stream = link.getresponse()
        want(stream.status == 200 and stream.headers["content-type"] == "text/event-stream", f"{stream.status}")

        limit = time.monotonic() + 120

        def event():
            while True:
                # Words that it is still there come for ever.
                want(time.monotonic() < limit, "no event comes")
                line = stream.readline()
                want(line, "the stream ended")
                if line.startswith(b"data: "):
                    return json.loads(line[6:])

        first = event()
        want(first["state"]["counts"]["all"] == 12, "the first event")
        self.run("feedback", "id:m5", "--category", "spam", "--store", "inbox.db")
        found = event()
        while found["state"]["counts"]["decided"] == 0:
            found = event()
        want(found["change"] > first["change"], "the change does not grow")
        self.fill([record(500, "a new one")])
        while found["state"]["counts"]["all"] != 13:
            found = event()
        # Listeners that come and go, and more than are wanted.
        others = []
        for _ in range(40):
            other = socket.create_connection(("127.0.0.1", server.port), timeout=30)
            other.sendall(f"GET /api/events HTTP/1.1\r\nHost: {server.host}\r\nCookie: {server.cookie}\r\n\r\n".encode())
            others.append(other)
        for other in others[::2]:
            other.close()
        want(server.get("/api/state")["counts"]["all"] == 13, "listeners hold it up")
        start = time.monotonic()
        want(server.kill(signal.SIGTERM) == 143, "SIGTERM")
        want(time.monotonic() - start < 20, "the end takes long")
        for other in others[1::2]:
            other.close()

    def windows(self):
        """Where messages stand in a list, and how many are new, however long it is; what is odd is refused."""
        self.fill([record(n, f"{TEXTS[n % len(TEXTS)]} number{n}", sent_at=f"2026-11-01T00:{n // 60:02}:{n % 60:02}Z")
                   for n in range(300)])
        server = self.serve()
        list_ = server.get("/api/messages?view=all&sort=recent&limit=10")
        want((list_["newer"], list_["first_newer"], list_["places"]) == (0, None, []), f"{list_}")
        seen, number = list_["newest"], server.get("/api/messages?view=all&sort=recent&offset=250&limit=1")["items"][0]["number"]
        path = f"/api/messages?view=all&sort=recent&limit=10&seen={seen}&places={number},999999"
        want(server.get(path)["places"] == [250, None], server.get(path)["places"])
        self.fill([record(n, "a new one", sent_at=f"2026-11-02T00:00:{n - 300:02}Z") for n in range(300, 307)]
                  + [record(307, "an old one", sent_at="2026-10-01T00:00:00Z")])
        limit = time.monotonic() + 60
        while server.get(path)["newer"] != 8:
            want(time.monotonic() < limit, f"{server.get(path)}")
        found = server.get(path)
        want((found["places"], found["first_newer"], found["newest"]) == ([257, None], 0, seen + 8), f"{found['places']}")
        for odd in ["seen=-1", "seen=x", "places=", "places=1,,2", "places=x", "places=" + ",".join("1" * 9), "other=1"]:
            want(server.ask("GET", "/api/messages?" + odd).status == 400, odd)
        page = server.ask("GET", "/").body
        want(b"{{" not in page and len(page) + sum(
            len(server.ask("GET", name).body) for name in ["/review.js", "/review.css"]) < 150_000, "the page is too large")

    # Files

    def library(self):
        for name, text in [("faq.yaml", LIBRARY), ("creator.yaml", CREATOR)]:
            with open(self.place(name), "w", encoding="utf-8") as file:
                file.write(text)
        flags = ["--faq", "faq.yaml", "--creator", "creator.yaml"]
        server = self.small(*flags)
        item = server.items(q="glaze", sort="recent")[0]
        want((item["faq"] or {}).get("match") != "high", "it matched before")
        add = {"request": "faq-add-1", "action": "add", "id": "glaze", "category": "Studio",
               "question": "Which glaze do you use on the blue mugs?", "answer": "Cobalt, twice fired."}
        for _ in range(2):
            answer = server.ask("POST", "/api/faq", add)
            want(answer.status == 200 and json.loads(answer.body)["id"] == "glaze", f"{answer.body}")
        end = time.monotonic() + 60
        while time.monotonic() < end:
            found = server.get("/api/messages/" + item["key"])["item"]
            if (found["faq"] or {}).get("id") == "glaze":
                break
            time.sleep(0.1)
        want(found["faq"] == {"id": "glaze", "match": "high"}, f"{found}")
        while server.get("/api/state")["rescore"]["state"] != "idle" and time.monotonic() < end:
            time.sleep(0.1)
        entries = server.get("/api/faq")["entries"]
        want([entry["id"] for entry in entries] == ["shipping", "glaze"] and entries[1]["uses"]["high"] >= 1, f"{entries}")
        text = open(self.place("faq.yaml"), encoding="utf-8").read()
        want(text.startswith("# answers of mine\n") and text.count("glaze do you use") == 1, text)
        for body, code in [(add | {"request": "faq-add-2"}, "faq.duplicate-id"),
                           (add | {"request": "faq-add-3", "id": "a b"}, "faq.bad-id"),
                           (add | {"request": "faq-add-4", "id": "x", "answer": " "}, "faq.empty-answer"),
                           ({"request": "faq-edit-1", "action": "edit", "id": "shiping", "answer": "x"}, "faq.unknown-id"),
                           ({"request": "faq-none-1", "action": "send"}, "review.bad-change")]:
            answer = server.ask("POST", "/api/faq", body)
            want(answer.status == 422 and json.loads(answer.body)["error"]["code"] == code, f"{code}: {answer.body}")
        edit = {"request": "faq-edit-2", "action": "edit", "id": "shipping", "new_id": "kit", "answer": "Two: \"a\"\n- b: c",
                "also_asked": ["what do you film with", "# not a comment"]}
        want(server.ask("POST", "/api/faq", edit).status == 200, "an edit is refused")
        want(server.ask("POST", "/api/faq", {"request": "faq-drop-1", "action": "remove", "id": "glaze"}).status == 200,
             "a removal is refused")
        entries = server.get("/api/faq")["entries"]
        want(len(entries) == 1 and entries[0]["id"] == "kit" and entries[0]["answer"] == edit["answer"]
             and entries[0]["also_asked"] == edit["also_asked"], f"{entries}")
        os.remove(self.place("faq.yaml"))
        os.symlink(self.place("creator.yaml"), self.place("faq.yaml"))
        want(server.ask("POST", "/api/faq", add | {"request": "faq-add-5"}).status in (422, 503), "a link is written to")

    def profile(self):
        for name, text in [("faq.yaml", LIBRARY), ("creator.yaml", CREATOR)]:
            with open(self.place(name), "w", encoding="utf-8") as file:
                file.write(text)
        server = self.small("--faq", "faq.yaml", "--creator", "creator.yaml")
        profile = server.get("/api/profile")["profile"]
        want(profile["name"] == "Ann" and profile["niches"] == ["pottery"], f"{profile}")
        profile |= {"niches": ["pottery", "glaze: \"blue\""], "voice": "Calm.\nShort.", "audience": 1200,
                    "contact": "deals@ann.example"}
        answer = server.ask("PUT", "/api/profile", profile)
        want(answer.status == 200 and json.loads(answer.body)["profile"] == profile, f"{answer.body}")
        text = open(self.place("creator.yaml"), encoding="utf-8").read()
        want(text.startswith("# who I am\nname: Ann\nniches:\n  - pottery\n") and "\n# the rest\n" in text, text)
        for change, code in [({"timezone": "Mars/Base"}, "creator.unknown-timezone"), ({"name": 3}, "creator.bad-profile"),
                             ({"languages": ["no such language"]}, "creator.bad-language"),
                             ({"contact": "nowhere"}, "creator.bad-contact"),
                             ({"nick": "x"}, "creator.bad-profile")]:
            answer = server.ask("PUT", "/api/profile", profile | change)
            want(answer.status == 422 and json.loads(answer.body)["error"]["code"] == code, f"{code}: {answer.body}")
        want(open(self.place("creator.yaml"), encoding="utf-8").read() == text, "a refused profile was written")
        settings = server.get("/api/settings")
        want(settings["opportunity"]["monetary"] == 40 and settings["llm"] is None, f"{settings}")

    def starts(self):
        """Stores that are not there, are empty, or are somebody else's; signals; a port that is taken."""
        self.run("review", "--store", "none.db", status=66)
        with open(self.place("other.db"), "wb") as file:
            file.write(b"not a database" * 10)
        self.run("review", "--store", "other.db", status=78)
        self.run("review", status=64)
        self.fill([])
        server = self.serve()
        state = server.get("/api/state")
        want(state["counts"]["all"] == 0 and server.items() == [], f"{state}")
        want(server.get("/api/faq") == {"entries": [], "path": None, "writable": False}, "a library out of nothing")
        self.run("review", "--store", "inbox.db", "--port", str(server.port), status=75)
        want(server.kill(signal.SIGINT) == 130, "SIGINT")

    def measure(self, count):
        random.seed(7)
        words = "glaze mug kiln video love price brand budget reel bowl blue clay order late thanks shop studio".split()
        self.fill([record(n, " ".join(random.choices(words, k=30)) + f" {TEXTS[n % 6]} number{n}") for n in range(count)])
        server = self.serve()
        figures = {"messages": count}

        def times(paths):
            found = []
            for path in paths:
                start = time.perf_counter()
                want(server.ask("GET", path).status == 200, path)
                found.append((time.perf_counter() - start) * 1e3)
            found.sort()
            return {"p50_ms": round(found[len(found) // 2], 1), "p95_ms": round(found[int(len(found) * .95)], 1),
                    "most_ms": round(found[-1], 1)}

        lists = [f"/api/messages?view={view}&sort={sort}&offset={offset}&limit=100"
                 for view in ["all", "fan", "business", "spam", "priority", "offers"]
                 for sort in ["priority", "recent", "score", "value"] for offset in [0, 1000, count - 200]]
        figures["lists"] = times(lists * 2)
        figures["searches"] = times([f"/api/messages?q={a}%20{b}&limit=50" for a in words for b in words[:6]])
        figures["prefixes"] = times([f"/api/messages?q={a[:2]}*&limit=50" for a in words])
        figures["as typed"] = times([f"/api/messages?q={a[:k]}&limit=50" for a in words for k in range(1, len(a) + 1)])
        figures["phrases"] = times([f"/api/messages?q=%22{a}%20{b}%22&limit=50" for a in words for b in words[:3]])
        figures["no words"] = times([f"/api/messages?q={w}&limit=50" for w in ["%e6%97%a5%e6%9c%ac", "%ed%95%9c", "%21"]])
        keys = [item["key"] for item in server.items()]
        figures["messages one by one"] = times([f"/api/messages/{key}" for key in keys])
        figures["state"] = times(["/api/state"] * 20)
        start = time.perf_counter()
        for key in keys[:100]:
            server.decide({"key": key}, "category", "fan")
        figures["decision_ms"] = round((time.perf_counter() - start) * 10, 1)
        figures["lists after decisions"] = times(lists)
        print(json.dumps(figures))


CHECKS = ["strangers", "links", "paths", "bodies", "slow", "headers", "hostile", "decisions", "reasons", "killed", "together",
          "events", "windows", "library", "profile", "starts"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--measure", type=int)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    checks, failures = Checks(options.command), 0
    for name in ["measure"] if options.measure else CHECKS:
        if options.only and name not in options.only.split(","):
            continue
        checks.folder = tempfile.mkdtemp(prefix="review-checks.")
        start = time.monotonic()
        try:
            getattr(checks, name)(*[options.measure] if options.measure else [])
            print(f"ok     {name} [{time.monotonic() - start:.1f} s]", flush=True)
        except Exception as fault:  # any fault is a finding
            failures += 1
            print(f"FAILED {name}: {type(fault).__name__} {fault}", flush=True)
        checks.end()
        shutil.rmtree(checks.folder)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
