#!/usr/bin/env python3
"""A server of wire faults on loopback: the path names what happens once a request was read whole.

usage: faultd.py [PORT]      (0, the default: any free one)

Prints its port, and ends when its standard input closes. Standard library only. A fault is a function below; its path is
its name with `-` for `_`, without a leading `_`. What follows the name in a path chooses the words of the answer: those of
Anthropic's interface for `/v1/messages`, those of Ollama's for `/api/chat`, else those of chat completions. `/requests`
tells how many requests came, by path; `/faults` names all.
"""
import collections
import gzip
import json
import os
import socket
import struct
import sys
import threading
import time
import zlib

import lifetime

CONTENT = "{\"category\":\"fan\"}"
CHAT = json.dumps({
    "id": "x", "object": "chat.completion", "created": 1, "model": "m",
    "choices": [{"index": 0, "finish_reason": "stop",
                 "message": {"role": "assistant", "content": CONTENT}}],
    "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
}).encode()
MESSAGE = json.dumps({
    "id": "x", "type": "message", "role": "assistant", "model": "m", "content": [{"type": "text", "text": CONTENT}],
    "stop_reason": "end_turn", "usage": {"input_tokens": 1, "output_tokens": 1},
}).encode()
OLLAMA = json.dumps({
    "model": "m", "message": {"role": "assistant", "content": CONTENT}, "done": True, "done_reason": "stop",
    "prompt_eval_count": 1, "eval_count": 1,
}).encode()

# A connection whose end is not said may be used again at that very moment, and such a request is never read.
CLOSING = "connection: close\r\n"

FAULTS = {}
COUNTS = collections.Counter()
# What the request of this thread wants to hear.
asked = threading.local()


def fault(function):
    FAULTS[function.__name__.lstrip("_").replace("_", "-")] = function
    return function


def head(length, status="200 OK", kind="application/json", extra=""):
    return (f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\n"
            f"content-length: {length}\r\n{extra}{CLOSING}\r\n").encode()


def stream_head():
    return ("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
            f"transfer-encoding: chunked\r\n{CLOSING}\r\n").encode()


def answer():
    return getattr(asked, "answer", CHAT)


def whole(body, status="200 OK", kind="application/json", extra=""):
    return head(len(body), status, kind, extra) + body


def error(status, message, kind="server_error", extra=""):
    body = {"error": {"message": message, "type": kind, "param": None, "code": None}}
    return whole(json.dumps(body).encode(), status, extra=extra)


def reset(client):
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


def drip(client, data, pause):
    for index in range(len(data)):
        client.sendall(data[index:index + 1])
        time.sleep(pause)


def chunk(data):
    return b"%x\r\n%s\r\n" % (len(data), data)


def events(*items):
    return b"".join(
        b"data: " + (item if isinstance(item, bytes) else json.dumps(item).encode()) + b"\n\n" for item in items)


def delta(text, reason=None):
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": reason}]}


# Answers that are whole


@fault
def ok(client):
    client.sendall(whole(answer()))


@fault
def slow_ok(client):
    """Whole after 200 ms."""
    time.sleep(0.2)
    client.sendall(whole(answer()))


@fault
def drip_ok(client):
    """A byte each 15 ms: slow, but never still."""
    drip(client, whole(b"0123456789" * 5), 0.015)


@fault
def interim_then_ok(client):
    """Two interim answers before the final one."""
    client.sendall(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n" + whole(answer()))


@fault
def no_content(client):
    client.sendall(f"HTTP/1.1 204 No Content\r\n{CLOSING}\r\n".encode())


@fault
def empty_200(client):
    client.sendall(head(0))


@fault
def close_delimited(client):
    """No length: the end of the connection is the end of the answer."""
    client.sendall(b"HTTP/1.1 200 OK\r\n\r\n" + answer())


@fault
def chunked_trailer(client):
    client.sendall(stream_head() + chunk(answer()) + b"0\r\nx-late: 1\r\n\r\n")


@fault
def gzip_ok(client):
    client.sendall(whole(gzip.compress(answer()), extra="content-encoding: gzip\r\n"))


@fault
def gzip_chunked(client):
    body = gzip.compress(answer())
    client.sendall(stream_head()[:-2] + b"content-encoding: gzip\r\n\r\n" + chunk(body) + b"0\r\n\r\n")


@fault
def gzip_members(client):
    """Two gzip members, one after the other: one stream by the format's rules."""
    half = len(answer()) // 2
    body = gzip.compress(answer()[:half]) + gzip.compress(answer()[half:])
    client.sendall(whole(body, extra="content-encoding: gzip\r\n"))


@fault
def bom(client):
    client.sendall(whole(b"\xef\xbb\xbf" + answer()))


@fault
def latin1(client):
    client.sendall(whole(answer().replace(b"fan", b"caf\xe9")))


@fault
def nul(client):
    client.sendall(whole(answer() + b"\0\0\0"))


# Answers that are whole and say no


@fault
def html_502(client):
    client.sendall(whole(b"<html><h1>502 Bad Gateway</h1><hr>nginx</html>", "502 Bad Gateway", "text/html"))


@fault
def html_200(client):
    client.sendall(whole(b"<html>please log in to the hotel wifi</html>", kind="text/html"))


@fault
def error_200(client):
    client.sendall(error("200 OK", "Upstream overloaded", "overloaded"))


@fault
def _429_sec(client):
    client.sendall(error("429 Too Many Requests", "slow down", "rate_limit_error", "retry-after: 2\r\n"))


@fault
def _429_date(client):
    moment = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 3))
    client.sendall(error("429 Too Many Requests", "slow down", "rate_limit_error", f"Retry-After: {moment}\r\n"))


@fault
def _429_huge(client):
    client.sendall(error("429 Too Many Requests", "daily quota", "rate_limit_error", "retry-after: 86400\r\n"))


@fault
def _429_neg(client):
    client.sendall(error("429 Too Many Requests", "x", "rate_limit_error", "retry-after: -5\r\n"))


@fault
def _429_quota(client):
    client.sendall(error("429 Too Many Requests", "You exceeded your current quota", "insufficient_quota"))


@fault
def _500_plain(client):
    client.sendall(error("500 Internal Server Error", "boom"))


@fault
def _529(client):
    body = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}, "request_id": "req_1"}
    client.sendall(whole(json.dumps(body).encode(), "529 "))


@fault
def _401_plain(client):
    client.sendall(error("401 Unauthorized", "bad key", "invalid_request_error"))


@fault
def _401_basic(client):
    """Asks for a password, which makes some clients wait or try again."""
    client.sendall(
        error("401 Unauthorized", "bad key", "authentication_error", "www-authenticate: Basic realm=x\r\n"))


@fault
def redirect(client):
    """To this server's own `/stolen`: `/requests` shows whether the client went there."""
    fields = f"location: /stolen\r\ncontent-length: 0\r\n{CLOSING}"
    client.sendall(f"HTTP/1.1 307 Temporary Redirect\r\n{fields}\r\n".encode())


# Connections that end


@fault
def rst_before(client):
    reset(client)


@fault
def close_before(client):
    client.close()


@fault
def rst_mid(client):
    client.sendall(head(len(answer())) + answer()[:40])
    time.sleep(0.1)
    reset(client)


@fault
def short_body(client):
    client.sendall(head(len(answer())) + answer()[:40])


@fault
def long_body(client):
    """Five bytes more than declared."""
    client.sendall(head(len(answer()) - 5) + answer())


@fault
def half_header(client):
    client.sendall(b"HTTP/1.1 200 OK\r\ncontent-type: appl")


@fault
def header_without_end(client):
    """Whole header lines, and the connection ends before the empty one."""
    client.sendall(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 5\r\n")


@fault
def interim_only(client):
    client.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")


@fault
def chunk_cut(client):
    client.sendall(stream_head() + chunk(answer()[:50]))


@fault
def gzip_cut(client):
    """The declared length is that of the cut body."""
    body = gzip.compress(answer())[:-9]
    client.sendall(whole(body, extra="content-encoding: gzip\r\n"))


@fault
def gzip_cut_chunked(client):
    body = gzip.compress(answer())[:-12]
    client.sendall(stream_head()[:-2] + b"content-encoding: gzip\r\n\r\n" + chunk(body) + b"0\r\n\r\n")


@fault
def gzip_empty(client):
    """Said to be gzip, and nothing there."""
    client.sendall(head(0, extra="content-encoding: gzip\r\n"))


# Answers that break the rules


@fault
def garbage(client):
    client.sendall(b"\x16\x03\x01\x02\x00garbage\r\n\r\n")


@fault
def chunk_bad(client):
    client.sendall(stream_head() + b"zz\r\nabc\r\n0\r\n\r\n")


@fault
def gzip_bad(client):
    """Said to be gzip, and is not."""
    client.sendall(whole(answer(), extra="content-encoding: gzip\r\n"))


@fault
def length_negative(client):
    client.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\n" + answer())


@fault
def length_absurd(client):
    client.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999999999999999999\r\n\r\n" + answer())


@fault
def status_absurd(client):
    client.sendall(b"HTTP/1.1 99999 What\r\ncontent-length: 0\r\n\r\n")


# Too much


@fault
def gzip_bomb(client):
    """200 kB that inflate to 200 MB."""
    packer = zlib.compressobj(wbits=31)
    body = b"".join(packer.compress(b"0" * 1_000_000) for _ in range(200)) + packer.flush()
    client.sendall(whole(body, extra="content-encoding: gzip\r\n"))


@fault
def huge_header(client):
    """One line of 400 kB."""
    client.sendall(head(len(answer()), extra="x-pad: " + "a" * 400_000 + "\r\n") + answer())


@fault
def many_headers(client):
    """Small lines, 600 kB of them."""
    client.sendall(head(len(answer()), extra="x-pad: aaaaaaaaaaaaaaaaaaaaa\r\n" * 20_000) + answer())


@fault
def endless(client):
    client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    for _ in range(100_000):
        client.sendall(b"x" * 65_536)


@fault
def endless_interim(client):
    """Interim answers without end."""
    for _ in range(1_000_000):
        client.sendall(b"HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n" * 100)


# Too slow


@fault
def hang(client):
    time.sleep(30)


@fault
def hang_after_head(client):
    client.sendall(head(len(answer())))
    time.sleep(30)


@fault
def hang_in_head(client):
    client.sendall(b"HTTP/1.1 200 OK\r\ncontent-")
    time.sleep(30)


@fault
def slow_first_byte(client):
    time.sleep(3)
    client.sendall(whole(answer()))


@fault
def drip_slow(client):
    """A byte each 100 ms: only a limit on the whole ends it."""
    drip(client, whole(answer()), 0.1)


# Streams of events


@fault
def sse_ok(client):
    client.sendall(stream_head() + chunk(b": ping\n\n") + chunk(events(delta("{\"category\":")))
                   + chunk(events(delta("\"fan\"}"))) + chunk(events(delta("", "stop"), b"[DONE]")) + b"0\r\n\r\n")


@fault
def sse_cut(client):
    client.sendall(stream_head() + chunk(events(delta("{\"cat"))) + b"0\r\n\r\n")


@fault
def sse_error(client):
    broken = {"error": {"message": "Overloaded", "type": "overloaded_error"}}
    client.sendall(stream_head() + chunk(events(delta("{\"cat"), broken)) + b"0\r\n\r\n")


@fault
def sse_split_utf8(client):
    data = events(delta("é日😀", "stop"), b"[DONE]")
    client.sendall(stream_head())
    for index in range(len(data)):
        client.sendall(chunk(data[index:index + 1]))
        time.sleep(0.002)
    client.sendall(b"0\r\n\r\n")


# The server


def read_request(client):
    """The path asked for, without the slashes around it; None when the client left."""
    data = b""
    while b"\r\n\r\n" not in data:
        received = client.recv(65_536)
        if not received:
            return None
        data += received
    lines, _, body = data.partition(b"\r\n\r\n")
    length = 0
    for line in lines.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            length = int(line.split(b":")[1])
        if line.startswith(b"expect: 100"):
            client.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
    while len(body) < length:
        received = client.recv(65_536)
        if not received:
            return None
        body += received
    return lines.split(b" ")[1].decode().strip("/")


def serve(client):
    """One request a connection."""
    try:
        client.settimeout(40)
        path = read_request(client)
        if path is None:
            return
        name = path.split("/")[0]
        asked.answer = MESSAGE if path.endswith("/messages") else OLLAMA if path.endswith("/api/chat") else CHAT
        if name == "requests":
            client.sendall(whole(json.dumps(COUNTS).encode()))
        elif name == "faults":
            client.sendall(whole(" ".join(FAULTS).encode(), kind="text/plain"))
        else:
            COUNTS[path] += 1
            FAULTS.get(name, lambda c: c.sendall(error("404 Not Found", "no such fault")))(client)
        time.sleep(0.05)
    except OSError:
        pass
    finally:
        try:
            client.close()
        except OSError:
            pass


def end_with_input():
    lifetime.wait()
    os._exit(0)


def main():
    listener = socket.create_server(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0), backlog=256)
    print(listener.getsockname()[1], flush=True)
    threading.Thread(target=end_with_input, daemon=True).start()
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()


if __name__ == "__main__":
    main()
