"""Invents records, the same for the same seed: make_records.py FOLDER FILES RECORDS_A_FILE [SEED]"""
import json
import os
import random
import sys

WORDS = ("love your last video about brand deal sponsor price usd collab please help order broken crypto giveaway link "
         "amor gracias fatura ありがとう سلام 🎉 📦 podcast invoice stream hola when is the next drop shipping to canada "
         "best camera lens budget $2,000 tomorrow which mic").split()


def main():
    folder, files, rows = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 7)
    number = 0
    for place in range(files):
        day = f"2026-10-{1 + place % 8:02d}"
        os.makedirs(f"{folder}/date={day}", exist_ok=True)
        with open(f"{folder}/date={day}/part-{place:05d}.jsonl", "w", encoding="utf-8", newline="\n") as file:
            for row in range(rows):
                text = " ".join(rng.choice(WORDS) for _ in range(rng.randint(4, 40)))
                if row % 997 == 0:
                    # What breaks readers that split text instead of bytes.
                    text += "\u2028separator \u0000 nul \\ \"quoted\" \r\n break"
                file.write(json.dumps(
                    {"id": f"m-{number:08d}", "platform": "instagram", "conversation_id": f"c-{number % 5000}",
                     "sender": {"handle": f"user{number % 9000}", "followers": number % 70000, "is_self": False},
                     "text": text, "sent_at": f"{day}T{row % 24:02d}:00:00Z", "unknown": row},
                    ensure_ascii=row % 2 == 0, separators=(",", ":")) + "\n")
                number += 1
    print(f"{number} records in {files} files")


if __name__ == "__main__":
    main()
