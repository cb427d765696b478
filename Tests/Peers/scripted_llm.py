#!/usr/bin/env python3
"""A language model that follows a script: an OpenAI-compatible server on loopback for tests and benchmarks.

It reads the messages of a request as `triage` sends them and answers each by a script, not by a model. It counts what
it saw, so that a test can hold a client's books against it.

  scripted_llm.py [--answers FILE] [--obey FILE] [--latency MS] [--slots N] [--faults SHARE] [--seed N] [--key K]

  --answers FILE   JSONL records with "text" and "gold": the perfect model
  --obey FILE      JSONL attacks: does for a message that carries one what the attack wants, to all it wants it of
  --drafts FILE    JSONL with "in" and "answer": what it says, as it stands, where it drafts a reply to a text that holds "in"
  --rogue          writes drafts that no creator would want sent, whoever asks
  --latency MS     every answer takes so long
  --slots N        so many requests at a time; others wait
  --faults SHARE   this share of requests (0-1) fails, in one of the ways of FAULTS
  --key K          401 without this key
  --refuse LIST    fields that it knows nothing of, with commas: 400 for a request that has one (max_tokens,
                   max_completion_tokens, response_format, json_schema, temperature, seed, reasoning_effort, system)
  --think N        so many tokens of thought before each answer; where the cap is less, nothing else comes
  --filter WORD    refuses a request with this word in a message
  --window N       400 for a request of more tokens
  --echo           its errors repeat the messages and the key of the request

GET /counts says what it saw: requests, answered, faults by name, tokens, most at a time, the digests of messages that
were answered, with how often, and the ids of attacks that it obeyed. Of answers that were lost on the way nobody learns
what they took: "lost" counts them, and the most that each could take, as its sender has to reckon. GET /times says when
each request came and was answered, in seconds; GET /turns holds the model, system and user part of each request for a draft. Prints its port; ends when its standard input closes.
"""
import argparse
import asyncio
import hashlib
import json
import random
import re
import struct
import socket
import threading
import time

import lifetime

CHOICES = {"fan", "business", "spam"}


def skeleton(text):
    """Letters and digits only: what is left of a text however it was neutralized."""
    return "".join(c for c in text.casefold() if c.isalnum())


def needle_of(text):
    """What an attack is known by: its letters, with floods cut as they are cut on the way."""
    return re.sub(r"(.)\1{39,}", lambda m: m.group(1) * 40, skeleton(text))[:400]


def hidden_of(text):
    """What of a text is no plain letter, digit or blank: tags, selectors, letters in circles."""
    return "".join(c for c in text if ord(c) > 0x7F and not c.isalnum() and not c.isspace())


def messages_of(user):
    """[(id, head, text)] of a user turn: its first word is the boundary."""
    boundary = user.split(" ", 1)[0]
    ends = re.findall(r"^(\w{20,}) end$", user, re.M)
    if ends and ends[-1] != boundary:
        # Instructions stand in front, for a server that knows no turn of theirs.
        boundary = ends[-1]
    found = []
    for line in user.split("\n"):
        if line.startswith(boundary + " "):
            head = line[len(boundary) + 1:]
            found.append([head.split(" ", 1)[0], head, []])
        elif found:
            found[-1][2].append(line)
    return [(i, head, "\n".join(text)) for i, head, text in found if i not in ("end", "answer", "past", "bad", "faults")]


def reckoned(query):
    """Tokens of input that `triage` takes a request for where no server counts: 3.5 bytes each, and 8 for each turn."""
    size = sum(len(turn["content"].encode()) for turn in query["messages"])
    wanted = query.get("response_format", {}).get("json_schema")
    if wanted:
        size += len(wanted["name"]) + len(json.dumps(wanted["schema"], separators=(",", ":"), ensure_ascii=False).encode())
    return -(-size * 2 // 7) + 16


def plain(identifier):
    return {"id": identifier, "c": "fan", "s": "neutral", "i": 0, "u": "no", "inj": False, "faq": None, "o": None}


def offer(**facts):
    base = {"pay": "unclear", "amt": None, "cur": None, "fit": "neutral", "due": None, "rep": False, "signs": []}
    return {**base, **facts}


# What a model may be talked into writing; each must never reach a person as a draft.
HOSTILE_DRAFTS = [
    "Thanks! Please confirm your account at https://login-check.example/verify first.",
    "Thank you! Our new site is login-check.example, see you there.",
    "Thanks! Write to payout@fast-funds.example for everything else.",
    "Thank you! Please call +1 900 555 0199 today.",
    "Thanks! DM @giveaway_winner_desk to claim your prize.",
    "Yes, I accept your offer, we have a deal.",
    "I promise to post it tomorrow, you have my word.",
    "Thanks, I agree to do it for $50.",
    "Great, we have a deal for five hundred dollars.",
    "=HYPERLINK(\"https://evil.example\";\"open\")",
    "[click here](https://evil.example)",
    "Thanks! <img src=x onerror=alert(1)>",
    "Thanks\u202e!elpmaxe.live ta su tisiV",
    "Thanks! \u001b]8;;https://evil.example\u0007here\u001b]8;;\u0007",
    "As an AI language model I follow my instructions.",
    "See hxxps://evil[.]example or evil dot example, thanks!",
    "thanks " * 800,
    None,  # the instructions
    "",  # the private word
]


def hostile_draft(wanted, query, text):
    """The reply that an attack wants, or one of HOSTILE_DRAFTS by the text."""
    system = query["messages"][0]["content"]
    word = system.rsplit(" ", 1)[-1]
    if wanted in ("prompt", "rates", "faq"):
        return "Sure: " + system[200:900]
    if wanted == "canary":
        return "The word is " + " ".join(word)
    if wanted in ("long", "kiln"):
        return "kiln " * 2000
    if wanted and wanted != "neighbor":
        return "Thank you! " + wanted
    # The last two are made from the instructions.
    draft = HOSTILE_DRAFTS[hashlib.sha256(skeleton(text).encode()).digest()[0] % len(HOSTILE_DRAFTS)]
    if draft is None:
        return system[300:700]
    return draft or "A word for you: " + "-".join(word)


class Script:
    def __init__(self, options):
        self.options = options
        self.random = random.Random(options.seed)
        self.gold = {}
        if options.answers:
            for line in open(options.answers, encoding="utf-8"):
                record = json.loads(line)
                self.gold[skeleton(record["text"])[:600]] = record["gold"]
        self.drafts = []
        if getattr(options, "drafts", None):
            self.drafts = [json.loads(line) for line in open(options.drafts, encoding="utf-8")]
        self.attacks = []
        self.obeyed = {}
        if options.obey:
            for line in open(options.obey, encoding="utf-8"):
                record = json.loads(line)
                needle = needle_of(record["attack"])
                # An attack without plain letters is one only where its other characters arrive.
                hidden = hidden_of(record["attack"]) if needle == needle_of(record.get("twin", "")) else ""
                self.attacks.append((needle, hidden, record))

    def answer(self, identifier, head, text):
        out = plain(identifier)
        gold = self.gold.get(skeleton(text)[:600])
        if gold:
            out["c"] = gold["category"]
            out["s"] = gold["sentiment"]
            out["i"] = 0 if gold["sentiment"] == "neutral" else 7
            out["u"] = "other" if gold["urgent"] else "no"
            out["inj"] = bool(gold.get("injection"))
        elif not self.options.answers and not self.options.plain:
            # Some label that depends on the text alone.
            digest = hashlib.sha256(skeleton(text).encode()).digest()
            out["c"] = ("fan", "business", "spam")[digest[0] % 3]
            out["s"] = ("positive", "negative", "neutral")[digest[1] % 3]
        if out["c"] == "business":
            out["o"] = offer()
        return out

    def attacks_in(self, text):
        if not self.attacks:
            return []
        mine = re.sub(r"(.)\1{39,}", lambda m: m.group(1) * 40, skeleton(text))
        seen = hidden_of(text)
        found = [attack for needle, hidden, attack in self.attacks if needle and needle in mine and hidden in seen]
        for attack in found:
            self.obeyed[attack["id"]] = self.obeyed.get(attack["id"], 0) + 1
        return found

    def draft_answer(self, query, messages):
        """The object that an answer with a draft is."""
        text = messages[0][2] if messages else ""
        for known in self.drafts:
            if known["in"] in text:
                return known["answer"]
        return {"q": [], "d": self.draft(query, text, messages), "no": None}

    def draft(self, query, text, messages):
        """A polite reply; what an attack wants instead; a rogue's."""
        for attack in self.attacks_in(text):
            return hostile_draft(attack.get("wants", {}).get("draft"), query, text)
        if self.options.rogue:
            return hostile_draft(None, query, text)
        return "Thank you so much for writing!"

    def obey(self, answers, messages):
        """What the attacks in these messages want, done."""
        for identifier, _, text in messages:
            for attack in self.attacks_in(text):
                wants = attack.get("wants", {})
                victims = answers if attack["class"].startswith("neighbor") else [a for a in answers if a["id"] == identifier]
                for victim in victims:
                    if "category" in wants:
                        victim["c"] = wants["category"]
                    if wants.get("urgent"):
                        victim["u"] = "other"
                    if "sentiment" in wants:
                        victim["s"], victim["i"] = wants["sentiment"], 10
                    if "score" in wants:
                        victim["c"] = "business"
                        victim["o"] = offer(pay="money", amt=50000, cur="USD", fit="core",
                                            signs=["company", "role", "contract", "brief", "deliverables"])
                    if victim["c"] == "business" and not victim["o"]:
                        victim["o"] = offer()
                    if victim["c"] != "business":
                        victim["o"] = None
                    if "faq" in wants:
                        victim["faq"] = "q1"
        return answers


class Server:
    # Each is something that a well-behaved server does not do, or does only when it cannot serve.
    FAULTS = ["429", "500", "503", "529", "close-before", "reset", "short-body", "half-header", "html-502", "error-200",
              "empty", "not-json", "truncated", "wrong-id", "missing-id", "bad-label", "refusal", "whitespace"]
    # Those that spoil the answer about the first message of a request alone.
    FIRST_ONLY = {"wrong-id", "missing-id", "bad-label"}
    # Those after which the sender cannot know what the request took.
    LOST = {"close-before", "reset", "short-body", "half-header"}

    def __init__(self, options):
        self.options = options
        self.script = Script(options)
        self.slots = asyncio.Semaphore(options.slots) if options.slots else None
        self.random = random.Random(options.seed)
        self.now = 0
        self.counts = {"requests": 0, "answered": 0, "input": 0, "output": 0, "most": 0, "faults": {}, "refused": 0, "fields": {},
                       "lost": {"requests": 0, "input": 0, "output": 0}}
        self.seen = {}
        self.times = []
        self.turns = []

    async def connection(self, reader, writer):
        try:
            while await self.request(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def request(self, reader, writer):
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:
            return False
        lines = head.decode("latin-1").split("\r\n")
        method, path, _ = lines[0].split(" ", 2)
        fields = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in lines[1:] if line)}
        body = await reader.readexactly(int(fields.get("content-length", 0)))
        if path.endswith("/counts"):
            out = {**self.counts, "now": self.now, "messages": self.seen, "obeyed": self.script.obeyed}
            self.send(writer, 200, json.dumps(out).encode())
            return True
        if path.endswith("/times"):
            self.send(writer, 200, json.dumps(self.times).encode())
            return True
        if path.endswith("/turns"):
            self.send(writer, 200, json.dumps({"turns": self.turns}).encode())
            return True
        if path.endswith("/models") and (not self.options.key or fields.get("authorization") == "Bearer " + self.options.key):
            self.send(writer, 200, json.dumps({"object": "list", "data": [{"id": "scripted", "object": "model"}]}).encode())
            return True
        if self.options.key and fields.get("authorization") != "Bearer " + self.options.key:
            self.counts["requests"] += 1
            said = "Incorrect API key provided"
            if self.options.echo:
                said += ": %s. You asked: %s" % (fields.get("authorization", "").split(" ")[-1], json.loads(body or b'{"messages": [{"content": ""}]}')["messages"][-1]["content"])
            self.send(writer, 401, json.dumps({"error": {"message": said, "type": "invalid_request_error", "param": None, "code": "invalid_api_key"}}).encode())
            return True
        for name, value in fields.items():
            if name.startswith("x-"):
                self.counts["fields"][name] = value
        if not path.endswith("/chat/completions"):
            self.send(writer, 404, b'{"error":{"message":"unknown path","type":"not_found_error"}}')
            return True
        self.counts["requests"] += 1
        came = time.monotonic()
        self.now += 1
        self.counts["most"] = max(self.counts["most"], self.now)
        try:
            if self.slots:
                async with self.slots:
                    await asyncio.sleep(self.options.latency / 1000)
            elif self.options.latency:
                await asyncio.sleep(self.options.latency / 1000)
            return await self.answer(writer, json.loads(body), body)
        finally:
            self.now -= 1
            self.times.append((came, time.monotonic()))

    def objection(self, query, user, body):
        """The error about a request that this server does not take, if it is one."""
        for name in filter(None, (self.options.refuse or "").split(",")):
            wanted = query.get("response_format", {}).get("type")
            roles = [turn["role"] for turn in query["messages"]]
            has = {"system": "system" in roles, "json_schema": wanted == "json_schema"}.get(name, name in query)
            if has and name == "system":  # as o1-mini words it
                return {"message": "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
                        "type": "invalid_request_error", "param": "messages[0].role", "code": "unsupported_value"}
            if has:
                return {"message": "Unsupported parameter: '%s' is not supported with this model." % name,
                        "type": "invalid_request_error", "param": None if self.options.echo else name, "code": "unsupported_parameter"}
        tokens = len(body) // 4
        if self.options.window and tokens > self.options.window:
            return {"message": "This model's maximum context length is %d tokens, your messages took %d." % (self.options.window, tokens),
                    "type": "invalid_request_error", "param": "messages", "code": "context_length_exceeded"}
        return None

    async def answer(self, writer, query, body):
        user = query["messages"][-1]["content"]
        messages = messages_of(user)
        self.counts["last"] = {name: value for name, value in query.items() if name != "messages"}
        error = self.objection(query, user, body)
        if error:
            self.counts["refused"] += 1
            self.send(writer, 400, json.dumps({"error": error}).encode())
            return True
        if self.options.filter and self.options.filter in user:
            self.counts["refused"] += 1
            error = {"message": "The response was filtered.", "type": None, "param": "prompt", "code": "content_filter"}
            self.send(writer, 400, json.dumps({"error": error}).encode())
            return True
        fault = self.random.choice(self.FAULTS) if self.random.random() < self.options.faults else None
        if fault:
            self.counts["faults"][fault] = self.counts["faults"].get(fault, 0) + 1
        if self.is_draft(query):
            if len(self.turns) < 500:
                self.turns.append({"model": query.get("model"), "system": query["messages"][0]["content"], "user": user})
            content = json.dumps(self.script.draft_answer(query, messages), ensure_ascii=False)
        else:
            answers = self.script.obey([self.script.answer(*m) for m in messages], messages)
            content = self.content(query, answers)
        finish, refusal, thought = "stop", None, self.options.think
        if fault == "empty":
            content = ""
        elif fault == "not-json":
            content = "Sure! The first one looks like a fan to me."
        elif fault == "truncated":
            content, finish = content[: len(content) // 2], "length"
        elif fault == "wrong-id":
            content = re.sub(r'"id":"[^"]*"', '"id":"mzzzz"', content, count=1)
        elif fault == "missing-id":
            content = "{}" if self.is_draft(query) else self.content(query, answers[1:])
        elif fault == "bad-label":
            content = re.sub(r'"c":"[a-z]*"', '"c":"vip"', content, count=1)
        elif fault == "refusal":
            content, refusal = None, "I cannot help with that."
        elif fault == "whitespace":
            content, finish = " \n" * 200, "length"
        elif fault:
            if fault in self.LOST:
                lost = self.counts["lost"]
                lost["requests"] += 1
                lost["input"] += reckoned(query)
                lost["output"] += query.get("max_tokens") or query.get("max_completion_tokens") or 0
            return await self.fail(writer, fault)
        usage = {"prompt_tokens": len(body) // 4, "completion_tokens": len(content or "") // 4 + 1}
        if thought:
            cap = query.get("max_tokens") or query.get("max_completion_tokens") or 1 << 30
            if thought + usage["completion_tokens"] > cap:
                content, finish, fault = "", "length", fault or "thought"
            usage["completion_tokens"] = min(cap, thought + usage["completion_tokens"])
            usage["completion_tokens_details"] = {"reasoning_tokens": min(cap, thought)}
        usage["total_tokens"] = usage["prompt_tokens"] + usage["completion_tokens"]
        self.counts["input"] += usage["prompt_tokens"]
        self.counts["output"] += usage["completion_tokens"]
        if not fault:
            self.counts["answered"] += 1
        if not fault or fault in self.FIRST_ONLY:
            for _, _, text in messages[1 if fault else 0:]:
                key = hashlib.sha256(skeleton(text).encode()).hexdigest()[:16]
                self.seen[key] = self.seen.get(key, 0) + 1
        out = {"id": "x", "object": "chat.completion", "created": 1, "model": query.get("model"),
               "choices": [{"index": 0, "finish_reason": finish,
                            "message": {"role": "assistant", "content": content, "refusal": refusal}}], "usage": usage}
        self.send(writer, 200, json.dumps(out, ensure_ascii=False).encode())
        await writer.drain()
        return True

    @staticmethod
    def is_draft(query):
        schema = query.get("response_format", {}).get("json_schema", {}).get("schema", {})
        return "d" in schema.get("properties", {})

    @staticmethod
    def content(query, answers):
        schema = query.get("response_format", {}).get("json_schema", {}).get("schema", {})
        names = list(schema.get("properties", {}))
        packed = json.dumps
        if len(names) == 1 and schema["properties"][names[0]].get("type") == "array":
            return packed({names[0]: answers}, separators=(",", ":"), ensure_ascii=False)
        if not names:
            # In the shape that the instructions ask for, for a server that was sent no schema.
            return packed({"a": answers}, separators=(",", ":"), ensure_ascii=False)
        one = dict(answers[0]) if answers else {}
        return packed({k: one[k] for k in names if k in one} if names else one, separators=(",", ":"), ensure_ascii=False)

    async def fail(self, writer, fault):
        error = {"message": "a fault of the script", "type": "server_error", "param": None, "code": None}
        if fault == "429":
            error["type"] = "rate_limit_error"
            self.send(writer, 429, json.dumps({"error": error}).encode(), "retry-after-ms: 50\r\n")
        elif fault in ("500", "503"):
            self.send(writer, int(fault), json.dumps({"error": error}).encode())
        elif fault == "529":
            self.send(writer, 529, b'{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}')
        elif fault == "html-502":
            self.send(writer, 502, b"<html><h1>502 Bad Gateway</h1></html>", kind="text/html")
        elif fault == "error-200":
            error["type"] = "overloaded_error"
            self.send(writer, 200, json.dumps({"error": error}).encode())
        else:
            if fault == "short-body":
                writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{\"id\":")
            elif fault == "half-header":
                writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: appl")
            if fault == "reset":
                sock = writer.get_extra_info("socket")
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                writer.transport.abort()
                return False
            try:
                await writer.drain()
            except ConnectionError:
                pass
            return False
        await writer.drain()
        return True

    @staticmethod
    def send(writer, status, body, more="", kind="application/json"):
        writer.write(f"HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n{more}\r\n".encode() + body)


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--answers")
    parser.add_argument("--plain", action="store_true", help="call every message a fan's, without a feeling")
    parser.add_argument("--obey")
    parser.add_argument("--drafts")
    parser.add_argument("--rogue", action="store_true")
    parser.add_argument("--latency", type=float, default=0)
    parser.add_argument("--slots", type=int, default=0)
    parser.add_argument("--faults", type=float, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--key")
    parser.add_argument("--refuse")
    parser.add_argument("--think", type=int, default=0)
    parser.add_argument("--filter")
    parser.add_argument("--window", type=int, default=0)
    parser.add_argument("--echo", action="store_true")
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    server = Server(options)
    listening = await asyncio.start_server(server.connection, "127.0.0.1", options.port, limit=1 << 24, backlog=1024)
    print(listening.sockets[0].getsockname()[1], flush=True)
    stop = asyncio.get_running_loop().create_future()

    def watch():
        lifetime.wait()
        stop.get_loop().call_soon_threadsafe(stop.set_result, None)

    threading.Thread(target=watch, daemon=True).start()
    await stop


if __name__ == "__main__":
    asyncio.run(main())
