#!/usr/bin/env python3
"""Batches of OpenAI's kind (/v1/files, /v1/batches) and of Anthropic's (/v1/messages/batches) on loopback, for tests.

The answers are those of scripted_llm.py, in the reverse of the order in which they were asked.

  --polls N       a batch runs for N looks at it (0)
  --holds N       so many batches are taken, and nobody is told: the answer to their creation never comes
  --drops N       before that, so many are not taken, and the connection breaks instead of an answer
  --spoil LIST    what becomes of the questions of the first batch, in turn: ok, missing, expired, error, overloaded, bad,
                  refusal; those of later batches are answered well
  --fail          every batch is refused as a whole

GET /counts says what it saw: batches, how often each custom_id came, live requests, names of what was deleted.
Prints its port; ends when its standard input closes.
"""
import argparse
import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import lifetime
from scripted_llm import Script, Server, messages_of

LOCK = threading.Lock()
FILES, BATCHES = {}, {}
SEEN = {"ids": {}, "live": 0, "deleted": [], "lists": 0}
SCRIPT = Script(argparse.Namespace(seed=1, answers=None, plain=False, obey=None, faults=0))


def answer(body):
    """The text that answers a request of either kind."""
    user = body["messages"][-1]["content"]
    schema = body.get("output_config", {}).get("format", {}).get("schema")
    query = {"response_format": {"json_schema": {"schema": schema}}} if schema else body
    return Server.content(query, [SCRIPT.answer(*m) for m in messages_of(user)])


def openai(body, kind):
    content, refusal = answer(body), None
    if kind == "bad":
        content = "It is a fan, I think."
    if kind == "refusal":
        content, refusal = None, "I cannot help with that."
    return {"id": "x", "object": "chat.completion", "model": body["model"], "usage": {"prompt_tokens": 100, "completion_tokens": 20},
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content, "refusal": refusal}}]}


def anthropic(body, kind):
    stop = "refusal" if kind == "refusal" else "end_turn"
    text = "It is a fan, I think." if kind == "bad" else answer(body)
    return {"id": "msg_x", "type": "message", "role": "assistant", "model": body["model"], "stop_reason": stop,
            "content": [{"type": "text", "text": text}], "usage": {"input_tokens": 100, "output_tokens": 20}}


def openai_lines(batch):
    good, bad = [], []
    for number, entry in enumerate(batch["entries"]):
        kind = batch["spoil"][number % len(batch["spoil"])]
        line = {"id": "r%d" % number, "custom_id": entry["custom_id"], "response": None, "error": None}
        if kind == "missing":
            continue
        if kind == "expired":
            line["error"] = {"code": "batch_expired", "message": "This request could not be executed in time."}
        elif kind in ("error", "overloaded"):
            status, error = (400, "invalid_request_error") if kind == "error" else (503, "server_error")
            line["response"] = {"status_code": status, "request_id": "q", "body": {"error": {"message": "no", "type": error}}}
        else:
            line["response"] = {"status_code": 200, "request_id": "q", "body": openai(entry["body"], kind)}
        (good if line["response"] and line["response"]["status_code"] == 200 else bad).append(json.dumps(line))
    return good[::-1], bad[::-1]


def anthropic_lines(batch):
    lines = []
    for number, entry in enumerate(batch["entries"]):
        kind = batch["spoil"][number % len(batch["spoil"])]
        if kind == "missing":
            continue
        if kind == "expired":
            result = {"type": "expired"}
        elif kind in ("error", "overloaded"):
            error = "invalid_request_error" if kind == "error" else "overloaded_error"
            result = {"type": "errored", "error": {"type": "error", "error": {"type": error, "message": "no"}}}
        else:
            result = {"type": "succeeded", "message": anthropic(entry["params"], kind)}
        lines.append(json.dumps({"custom_id": entry["custom_id"], "result": result}))
    return lines[::-1]


def new_batch(entries, **more):
    with LOCK:
        name = "batch_%d" % (len(BATCHES) + 1)
        BATCHES[name] = {"id": name, "entries": entries, "looks": 0, "created": int(time.time()), **more,
                         "spoil": ["ok"] if BATCHES else OPTIONS.spoil.split(","), "fail": OPTIONS.fail}
        for entry in entries:
            SEEN["ids"][entry["custom_id"]] = SEEN["ids"].get(entry["custom_id"], 0) + 1
        return BATCHES[name]


def is_done(batch):
    return batch["looks"] > OPTIONS.polls


def openai_state(batch):
    total = len(batch["entries"])
    state = {"id": batch["id"], "object": "batch", "input_file_id": batch["input"], "created_at": batch["created"],
             "status": "in_progress", "output_file_id": None, "error_file_id": None,
             "request_counts": {"total": total, "completed": 0, "failed": 0}}
    if batch["fail"]:
        state.update(status="failed", errors={"data": [{"code": "invalid", "message": "no", "line": 1}]})
    elif is_done(batch):
        good, bad = openai_lines(batch)
        state.update(status="completed", request_counts={"total": total, "completed": len(good), "failed": len(bad)})
        for name, lines in (("output", good), ("error", bad)):
            if lines:
                FILES["file-%s-%s" % (name, batch["id"])] = "\n".join(lines) + "\n"
                state[name + "_file_id"] = "file-%s-%s" % (name, batch["id"])
    return state


def anthropic_state(batch):
    counts = {"processing": len(batch["entries"]), "succeeded": 0, "errored": 0, "canceled": 0, "expired": 0}
    if is_done(batch):
        counts = {**counts, "processing": 0, "succeeded": len(batch["entries"])}
    return {"id": batch["id"], "type": "message_batch", "processing_status": "ended" if is_done(batch) else "in_progress",
            "request_counts": counts, "created_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(batch["created"]))}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, value, status=200, kind="application/json"):
        body = value.encode() if isinstance(value, str) else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def is_dropped(self):
        if OPTIONS.drops > 0:
            OPTIONS.drops -= 1
            self.close_connection = True
            return True
        return False

    def created(self, state):
        if OPTIONS.holds > 0:
            OPTIONS.holds -= 1
            # Until the client is gone.
            self.connection.recv(1)
            self.close_connection = True
            return
        self.reply(state)

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        path = self.path.split("?")[0]
        if path == "/v1/files":
            boundary = re.search(r"boundary=(\S+)", self.headers["content-type"]).group(1).encode()
            parts = [p.split(b"\r\n\r\n", 1) for p in raw.split(b"--" + boundary) if b"\r\n\r\n" in p]
            content = next(body for head, body in parts if b'name="file"' in head)
            assert any(b'name="purpose"' in head and body.strip() == b"batch" for head, body in parts)
            with LOCK:
                name = "file-%d" % (len(FILES) + 1)
                FILES[name] = content.decode().removesuffix("\r\n")
            return self.reply({"id": name, "object": "file", "purpose": "batch"})
        if path in ("/v1/batches", "/v1/messages/batches") and self.is_dropped():
            return
        if path == "/v1/batches":
            body = json.loads(raw)
            entries = [json.loads(line) for line in FILES[body["input_file_id"]].splitlines()]
            return self.created(openai_state(new_batch(entries, input=body["input_file_id"])))
        if path == "/v1/messages/batches":
            return self.created(anthropic_state(new_batch(json.loads(raw)["requests"])))
        if path in ("/v1/chat/completions", "/v1/messages"):
            SEEN["live"] += 1
            make = openai if path.endswith("completions") else anthropic
            return self.reply(make(json.loads(raw), "ok"))
        self.reply({"error": {"message": "unknown path", "type": "not_found_error"}}, 404)

    def do_GET(self):
        path = self.path.split("?")[0]
        if path == "/counts":
            return self.reply({**SEEN, "batches": len(BATCHES)})
        if path in ("/v1/batches", "/v1/messages/batches"):
            SEEN["lists"] += 1
            make = openai_state if path == "/v1/batches" else anthropic_state
            return self.reply({"data": [make(b) for b in reversed(BATCHES.values())], "has_more": False})
        file = re.fullmatch(r"/v1/files/([\w-]+)/content", path)
        if file and file.group(1) in FILES:
            return self.reply(FILES[file.group(1)], kind="application/jsonl")
        found = re.fullmatch(r"/v1/(messages/)?batches/(\w+)(/results)?", path)
        if found and found.group(2) in BATCHES:
            batch = BATCHES[found.group(2)]
            if found.group(3):
                return self.reply("\n".join(anthropic_lines(batch)) + "\n", kind="application/jsonl")
            batch["looks"] += 1
            return self.reply(anthropic_state(batch) if found.group(1) else openai_state(batch))
        self.reply({"error": {"message": "not found", "type": "not_found_error"}}, 404)

    def do_DELETE(self):
        SEEN["deleted"].append(self.path.split("/")[-1])
        self.reply({"id": self.path.split("/")[-1], "deleted": True})


parser = argparse.ArgumentParser()
parser.add_argument("--polls", type=int, default=0)
parser.add_argument("--holds", type=int, default=0)
parser.add_argument("--drops", type=int, default=0)
parser.add_argument("--spoil", default="ok")
parser.add_argument("--fail", action="store_true")
OPTIONS = parser.parse_args()
server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_address[1], flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
lifetime.wait()
