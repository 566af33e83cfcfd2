"""Tests addresses, origins, and what sdk/atp-cases leaves out about media types and WebSocket frames."""

import io
import unittest
from email.message import Message

from proctor_agent.errors import Refusal
from proctor_agent.media import ATP, JSON, check_content_type, negotiate
from proctor_agent.origin import check_origin
from proctor_agent.serve import UsageError, find_address
from proctor_agent.websocket_frames import CloseWith, FrameReader, encode_frame, parse_close


def frame(first, payload=b"", key=b"\x01\x02\x03\x04", masked=True):
    length = len(payload)
    head = bytes([first, (0x80 if masked else 0) | (length if length < 126 else 126)])
    size = b"" if length < 126 else length.to_bytes(2, "big")
    body = bytes(byte ^ key[index % 4] for index, byte in enumerate(payload))
    return head + size + (key + body if masked else payload)


def read(data, max_bytes=1000):
    reader = FrameReader(io.BufferedReader(io.BytesIO(data)), max_bytes)
    messages = []
    while True:
        try:
            message = reader.read()
        except ConnectionResetError:
            return messages
        if message is not None:
            messages.append(tuple(message))


class Frames(unittest.TestCase):
    def test_a_ping_may_come_between_fragments(self):
        data = frame(0x01, b"ab") + frame(0x89, b"p") + frame(0x00, b"") + frame(0x80, b"c" * 200)
        self.assertEqual(read(data), [(9, b"p"), (1, b"ab" + b"c" * 200)])

    def test_a_frame_that_is_cut_anywhere_is_incomplete(self):
        data = frame(0x81, b"x" * 130)
        for end in range(len(data)):
            self.assertEqual(read(data[:end]), [])
        self.assertEqual(read(data), [(1, b"x" * 130)])

    def test_messages_beyond_the_limit_close_with_1009(self):
        for data in (frame(0x81, b"x" * 1001), frame(0x01, b"x" * 600) + frame(0x80, b"x" * 600)):
            with self.subTest(data=data[:4]), self.assertRaises(CloseWith) as caught:
                read(data)
            self.assertEqual(caught.exception.code, 1009)

    def test_frames_that_we_send_have_the_right_length(self):
        self.assertEqual(encode_frame(1, b"x" * 125)[:2], b"\x81\x7d")
        self.assertEqual(encode_frame(1, b"x" * 126)[:4], b"\x81\x7e\x00\x7e")
        self.assertEqual(encode_frame(1, b"x" * 65_536)[:10], b"\x81\x7f" + (65_536).to_bytes(8, "big"))

    def test_a_close_frame_gives_its_code_and_reason(self):
        self.assertEqual(parse_close(b""), (1000, ""))
        self.assertEqual(parse_close(b"\x03\xe9bye"), (1001, "bye"))


class MediaTypes(unittest.TestCase):
    def test_a_content_type_is_required(self):
        for header in ("", None):
            with self.subTest(header=header), self.assertRaises(Refusal) as caught:
                check_content_type(header)
            self.assertEqual(caught.exception.status, 415)

    def test_a_stream_has_the_type_that_was_asked_for(self):
        self.assertEqual(negotiate("text/event-stream", ATP, True), ATP)
        self.assertEqual(negotiate(f"text/event-stream, {ATP}", JSON, True), ATP)
        with self.assertRaises(Refusal) as caught:
            negotiate("text/event-stream", JSON, False)
        self.assertEqual(caught.exception.status, 406)


class Addresses(unittest.TestCase):
    def test_serve_takes_a_port_or_an_address(self):
        for arguments, address in (
            ([], None),
            (["--model", "x"], None),
            (["--serve"], ("127.0.0.1", 0)),
            (["--serve", "8000"], ("127.0.0.1", 8000)),
            (["--serve", "--verbose"], ("127.0.0.1", 0)),
            (["--serve=0.0.0.0:80"], ("0.0.0.0", 80)),
            (["--serve", "[::1]:9"], ("::1", 9)),
            (["--serve", ":9"], ("127.0.0.1", 9)),
        ):
            with self.subTest(arguments=arguments):
                self.assertEqual(find_address(arguments), address)
        for text in ("70000", "host", "http://x:1", "1:2:3", "-1x"):
            with self.subTest(text=text), self.assertRaises(UsageError):
                find_address([f"--serve={text}"])

    def test_pages_from_elsewhere_may_not_call(self):
        for origin, allowed in (
            (None, True),
            ("http://127.0.0.1:80", True),
            ("http://localhost:5173", True),
            ("http://[::1]:80", True),
            ("http://evil.example", False),
            ("http://127.0.0.1.evil.example", False),
            ("null", False),
            ("http://[", False),
        ):
            headers = Message()
            if origin is not None:
                headers["Origin"] = origin
            with self.subTest(origin=origin):
                if allowed:
                    check_origin(headers)
                else:
                    self.assertRaises(Refusal, check_origin, headers)


if __name__ == "__main__":
    unittest.main()
