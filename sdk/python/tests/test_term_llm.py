"""Tests the model of a terminal agent where Python differs. The cases that all languages share are in sdk/term-cases."""

import json
import os
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from unittest import mock

from term_sdk import LLM, LLMError, Tool

ANSWER = {"choices": [{"message": {"content": "yes"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 1, "completion_tokens": 1}}


class Endpoint(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests.append((self.path, dict(self.headers), json.loads(body)))
        data = json.dumps(ANSWER).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args):
        pass


class Model(unittest.TestCase):
    def setUp(self):
        server = HTTPServer(("127.0.0.1", 0), Endpoint)
        server.requests = []
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.requests = server.requests
        self.url = f"http://127.0.0.1:{server.server_port}/v1"

    def test_arguments_take_precedence_over_the_environment(self):
        around = {"LLM_API_URL": "http://127.0.0.1:1/", "LLM_API_KEY": "theirs", "LLM_MODEL": "theirs", "LLM_PROVIDER": "theirs"}
        with mock.patch.dict(os.environ, around):
            llm = LLM("mine", url=self.url + "/", key="my-key", provider="me", temperature=0.5, max_tokens=7)
            llm.ask("a", response_format={"type": "json_object"}, temperature=0)
        path, headers, body = self.requests[0]
        self.assertEqual((path, headers["Authorization"], llm.provider), ("/v1/chat/completions", "Bearer my-key", "me"))
        messages = [{"role": "user", "content": "a"}]
        expected = {"model": "mine", "messages": messages, "temperature": 0, "max_tokens": 7, "response_format": {"type": "json_object"}}
        self.assertEqual(body, expected)

    def test_a_whole_address_without_a_key_is_enough(self):
        with mock.patch.dict(os.environ, {"LLM_API_KEY": ""}):
            LLM(default_model="m", url=self.url + "/chat/completions").ask("a")
        path, headers, _ = self.requests[0]
        self.assertEqual((path, "Authorization" in headers), ("/v1/chat/completions", False))

    def test_messages_of_the_caller_stay_as_they_are(self):
        messages = [{"role": "user", "content": "a"}]
        answer = LLM("m", url=self.url).chat_with_functions(messages, [Tool("now")])
        self.assertEqual(len(messages), 1)
        self.assertEqual(answer.messages[1:], [{"role": "assistant", "content": "yes"}])

    def test_rounds_are_between_1_and_10(self):
        for rounds in (0, 11):
            with self.subTest(rounds=rounds), self.assertRaises(ValueError):
                LLM("m", url=self.url).chat_with_functions([], [], max_rounds=rounds)
        self.assertEqual(self.requests, [])

    def test_errors_name_code_status_and_model(self):
        with self.assertRaises(LLMError) as caught:
            LLM("m", url="http://127.0.0.1:1", retries=0).ask("a")
        error = caught.exception
        self.assertEqual((error.code, error.status, error.details["model"]), ("network_error", None, "m"))
        self.assertEqual(str(error), f"network_error: {error.message}")
        self.assertEqual(error.to_dict()["error"]["code"], "network_error")
