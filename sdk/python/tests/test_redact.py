"""Tests that secrets are found in every encoding, and that nothing else is changed."""

import base64
import html
import json
import random
import string
import time
import unittest
from urllib.parse import quote, quote_plus

from proctor_agent.artifacts import file, redacted
from proctor_agent.redact import Redactor

ODD = 'p"a\\ss/w&rd <ö𝄞>\n\ttail'


class Redaction(unittest.TestCase):
    def test_finds_a_secret_in_every_encoding(self):
        for secret in ("hunter2-hunter2", ODD, "ключ к замку", "\\\\\\\\", "a b+c%20"):
            redactor = Redactor({"KEY": secret})
            once, data = json.dumps(secret)[1:-1], secret.encode()
            forms = {
                "plain": secret,
                "json": once,
                "json, not ASCII": json.dumps(secret, ensure_ascii=False)[1:-1],
                "json twice": json.dumps(once)[1:-1],
                "url": quote(secret, safe=""),
                "form": quote_plus(secret),
                "url in lower case": quote(secret, safe="").lower() if secret.islower() else quote(secret),
                "html": html.escape(secret),
                "hex": data.hex(),
                "HEX": data.hex().upper(),
                **{f"base64 after {n}": base64.b64encode(b"\x9f" * n + data + b"zz").decode() for n in range(4)},
                "base64, url": base64.urlsafe_b64encode(b"?" + data).decode(),
                "base64, lines": base64.encodebytes(b"x" * 50 + data).decode(),
            }
            for name, form in forms.items():
                with self.subTest(secret=secret, form=name):
                    shown = redactor.text(f"<<{form}>>")
                    self.assertIn("[redacted:KEY]", shown)
                    self.assertTrue(shown.startswith("<<") and shown.endswith(">>"))

    def test_finds_random_secrets_anywhere(self):
        chance = random.Random(7)
        for _ in range(200):
            secret = "".join(chance.choice(string.printable.strip() + "äß€𝄞") for _ in range(chance.randint(4, 40)))
            if secret.lower() in ("true", "none", "null"):
                continue
            before, after = (bytes(chance.randrange(256) for _ in range(chance.randrange(9))) for _ in "ab")
            redactor = Redactor({"K": secret})
            encoded = base64.b64encode(before + secret.encode() + after).decode()
            for form in (secret, json.dumps(secret), quote(secret, safe=""), encoded, secret.encode().hex()):
                self.assertIn("[", redactor.text(form), (secret, form))
                self.assertNotIn(secret, redactor.text(form))

    def test_leaves_ordinary_text_alone(self):
        redactor = Redactor({"A": "abc", "B": "true", "C": "None", "D": "", "E": "s3cret"})
        for text in ("abc true None", "c2VjcmV0cyBhcmUgZnVu", "73 33 63", "%73", ""):
            self.assertEqual(redactor.text(text), text)

    def test_overlapping_secrets_become_one_marker(self):
        redactor = Redactor({"A": "abcdef", "B": "defghi"})
        self.assertEqual(redactor.text("-abcdefghi-"), "-[redacted:A]-")

    def test_finds_secrets_in_values_keys_and_numbers(self):
        redactor = Redactor({"A": "abcdef", "N": "12345678"})
        value = {"abcdef": 12345678, "xabcdef": [{"k": "abcdef"}], "n": 1234, "b": True, "z": None}
        shown = redactor.value(value)
        self.assertEqual(
            shown,
            {"[redacted:A]": "[redacted:N]", "x[redacted:A]": [{"k": "[redacted:A]"}], "n": 1234, "b": True, "z": None},
        )

    def test_keeps_two_hidden_keys_apart(self):
        shown = Redactor({"A": "abcdef"}).value({"abcdef": 1, "YWJjZGVm": 2})
        self.assertEqual(sorted(shown.values()), [1, 2])

    def test_hides_parts_of_a_key_file_and_of_json_credentials(self):
        pem = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQ\n-----END PRIVATE KEY-----\n"
        redactor = Redactor({"PEM": pem, "JSON": json.dumps({"token": "tok-12345678", "n": 1})})
        self.assertEqual(redactor.text("MIIEvQIBADANBg"), "[redacted:PEM]")
        self.assertEqual(redactor.text("tok-12345678"), "[redacted:JSON]")
        self.assertEqual(redactor.text("-----BEGIN PRIVATE KEY-----"), "-----BEGIN PRIVATE KEY-----")

    def test_a_marker_never_shows_a_secret(self):
        self.assertEqual(Redactor({"redacted": "redacted"}).text("redacted"), "<hidden>")
        self.assertEqual(Redactor({"odd name\n": "abcdef"}).text("abcdef"), "[redacted]")

    def test_hostile_values_take_little_processor_time(self):
        began = time.process_time()
        redactor = Redactor({"A": "\\" * 200 + '"' * 50, "B": '\\"' * 60, "C": "%" * 300})
        redactor.text("\\" * 20_000 + '"' + "%25" * 5_000)
        Redactor({f"K{n}": f"value-{n}-" * 20 for n in range(50)}).text("value-" * 20_000)
        self.assertLess(time.process_time() - began, 5)

    def test_keeps_files_decodable_and_their_hashes_correct(self):
        redactor = Redactor({"A": "abcdef"})
        binary = redacted(file("x.bin", b"\xff\x00abcdef\xfe"), redactor)
        self.assertEqual(base64.b64decode(binary["content"]), b"\xff\x00[redacted:A]\xfe")
        self.assertEqual(binary["size_bytes"], 15)
        self.assertEqual(binary["content_hash"], file("x", b"\xff\x00[redacted:A]\xfe")["content_hash"])
        text = redacted(file("x.md", "an abcdef"), redactor)
        self.assertEqual(text["content"], "an [redacted:A]")
        self.assertEqual(text["content_hash"], file("x", "an [redacted:A]")["content_hash"])


if __name__ == "__main__":
    unittest.main()
