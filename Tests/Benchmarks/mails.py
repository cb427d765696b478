#!/usr/bin/env python3
"""Writes a mailbox of invented mails, or reads one with Python's own library for comparison.

    mails.py make 200 big.mbox     a mailbox of about 200 MB
    mails.py read big.mbox         what the program would have to find, with Python: count and seconds
"""
import base64
import email
import email.policy
import mailbox
import random
import sys
import time

WORDS = "hello offer reel story shoot august budget euro please thanks love your video team brand week send rate".split()


def make(megabytes, path):
    chance = random.Random(7)
    picture = base64.encodebytes(bytes(chance.randrange(256) for _ in range(60_000))).decode()
    written = number = 0
    with open(path, "w", encoding="utf-8") as out:
        while written < megabytes * 1_000_000:
            number += 1
            text = "\n".join(" ".join(chance.choices(WORDS, k=12)) for _ in range(chance.randrange(2, 25)))
            mail = [
                f"From {number}@xxx Sat Jun 01 10:{number % 60:02}:00 +0000 2024", f"X-GM-THRID: {number // 3}",
                "X-Gmail-Labels: Inbox,Unread", "Delivered-To: mara@example.com", f"Message-ID: <m{number}@brand.example>",
                f"Date: Sat, 01 Jun 2024 12:{number % 60:02}:00 +0200", f"From: =?UTF-8?Q?Zo=C3=AB_{number % 997}?= <zoe{number % 997}@brand.example>",
                "To: mara@example.com", "Subject: =?UTF-8?B?QW5mcmFnZQ==?=", "MIME-Version: 1.0",
                'Content-Type: multipart/mixed; boundary="o"', "", "--o", 'Content-Type: multipart/alternative; boundary="i"', "",
                "--i", "Content-Type: text/plain; charset=UTF-8", "", text, "", "On Sat, Jun 1, 2024 Mara wrote:", "> thanks", "", "--i",
                "Content-Type: text/html; charset=UTF-8", "", "<div>" + text.replace("\n", "<br>") + "</div>", "--i--",
            ]
            if number % 10 == 0:
                mail += ["--o", 'Content-Type: image/png; name="a.png"', "Content-Transfer-Encoding: base64", "", picture]
            mail += ["--o--", "", ""]
            block = "\n".join(mail)
            out.write(block)
            written += len(block.encode())
    print(f"{number} mails, {written} bytes")


def read(path):
    start = time.monotonic()
    count = size = 0
    box = mailbox.mbox(path, factory=lambda file: email.message_from_binary_file(file, policy=email.policy.default))
    for mail in box:
        body = mail.get_body(preferencelist=("plain", "html"))
        size += len(body.get_content()) + len(str(mail["subject"])) + len(str(mail["from"]))
        size += sum(len(part.get_filename() or "") for part in mail.iter_attachments())
        count += 1
    print(f"{count} mails, {size} characters, {time.monotonic() - start:.1f} s")


if sys.argv[1:2] == ["make"] and len(sys.argv) == 4:
    make(int(sys.argv[2]), sys.argv[3])
elif sys.argv[1:2] == ["read"] and len(sys.argv) == 3:
    read(sys.argv[2])
else:
    sys.exit(__doc__)
