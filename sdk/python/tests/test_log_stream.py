"""Tests that the log has whole lines without secrets, however the output is cut."""

import os
import threading
import unittest

from proctor_agent.known_secrets import KnownSecrets
from proctor_agent.log_stream import LogStream


class Logs(unittest.TestCase):
    def setUp(self):
        self.near, far = os.pipe()
        self.secrets = KnownSecrets()
        self.secrets.acquire({"KEY": "hunter2-hunter2"})
        self.stream = LogStream(far, self.secrets)
        self.addCleanup(os.close, self.near)
        self.far = far

    def read(self):
        self.stream.end_all()
        os.close(self.far)
        with os.fdopen(os.dup(self.near), "rb") as source:
            return source.read().decode()

    def test_hides_a_secret_that_is_written_in_pieces(self):
        for character in "key hunter2-hunter2":
            self.stream.write(character)
            self.stream.flush()
        self.assertEqual(self.read(), "key [redacted:KEY]\n")

    def test_shows_a_long_line_before_it_ends(self):
        text = "x" * 65_530 + "hunter2-hunter2"
        read = []
        reader = threading.Thread(target=lambda: read.append(os.read(self.near, 1 << 16)))
        reader.start()
        for start in range(0, len(text), 10):
            self.stream.write(text[start : start + 10])
        reader.join(10)
        self.assertEqual(read[0].decode() + self.read(), "x" * 65_530 + "[redacted:KEY]\n")

    def test_does_not_mix_the_lines_of_threads(self):
        def work(name):
            for _ in range(200):
                self.stream.write(name)
                self.stream.write(" ")
                self.stream.write(f"{name}\n")

        threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(self.read().splitlines()), sorted(f"{name} {name}" for name in "abcd" for _ in range(200)))

    def test_keeps_secrets_of_ended_tasks_hidden(self):
        self.secrets.release({"KEY": "hunter2-hunter2"})
        self.stream.write("hunter2-hunter2\n")
        self.assertEqual(self.read(), "[redacted:KEY]\n")

    def test_writes_bytes_and_text_that_are_not_utf8(self):
        self.stream.buffer.write(b"\xffhunter2-hunter2\n")
        self.stream.write("\ud800\n")
        self.assertEqual(self.read(), "\\xff[redacted:KEY]\n\\ud800\n")


if __name__ == "__main__":
    unittest.main()
