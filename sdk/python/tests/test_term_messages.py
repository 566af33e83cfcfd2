"""Tests requests and responses of terminal agents where Python differs. The shared cases are in sdk/term-cases."""

import dataclasses
import json
import re
import unittest

from term_sdk import AgentRequest, AgentResponse, LLMResponse, Request, RequestError, Response, ResponseError


def request(**fields):
    return Request.parse({"instruction": "a", "step": 2, **fields})


class Requests(unittest.TestCase):
    def test_come_from_text_bytes_or_a_mapping(self):
        for data in ('{"instruction":"ž","step":1}', '{"instruction":"ž","step":1}'.encode(), {"instruction": "ž", "step": 1}):
            with self.subTest(data=data):
                self.assertEqual(Request.parse(data), Request("ž", 1))

    def test_may_hold_bytes_that_are_not_utf8(self):
        self.assertEqual(Request.parse(b'{"instruction":"\xff","step":1}').instruction, "\ufffd")

    def test_cannot_be_changed(self):
        with self.assertRaises(dataclasses.FrozenInstanceError):
            request().step = 3

    def test_match_takes_a_compiled_expression_and_gives_a_match(self):
        found = request(output="ERROR at line 12").match(re.compile(r"error at line (?P<line>\d+)", re.I))
        self.assertEqual(found["line"], "12")

    def test_deep_nesting_is_refused(self):
        with self.assertRaises(RequestError):
            Request.parse("[" * 200_000)

    def test_have_their_older_names_too(self):
        self.assertIs(AgentRequest, Request)
        self.assertIs(AgentResponse, Response)


class Responses(unittest.TestCase):
    def test_are_changed_in_place_and_returned(self):
        response = Response.cmd("ls", "look")
        self.assertIs(response.with_data({"n": 1}).with_text("looking").complete(), response)
        self.assertEqual(
            json.loads(response.to_json()), {"command": "ls", "task_complete": True, "text": "looking", "data": {"n": 1}}
        )

    def test_are_one_line_whatever_they_hold(self):
        line = Response.cmd("a\nb\u2028\ud800", "ž").to_json()
        self.assertEqual(line.splitlines(), [line])
        self.assertTrue(line.isascii())
        self.assertEqual(json.loads(line)["command"], "a\nb\u2028\ud800")

    def test_with_wrong_types_are_refused(self):
        wrong = (
            Response.cmd(["ls"]),
            Response.cmd("ls", 5),
            Response(task_complete=1),
            Response.done().with_data(float("nan")),
            Response.done().with_data({1, 2}),
            Response.done().with_data(object()),
        )
        for response in wrong:
            with self.subTest(response=response), self.assertRaises(ResponseError):
                response.to_json()

    def test_come_from_what_a_model_answered(self):
        self.assertEqual(Response.from_llm(LLMResponse(text='{"command": "ls"}', model="m")), Response.cmd("ls"))
        for wrong in (None, 5, b"{}"):
            with self.subTest(wrong=wrong), self.assertRaises(ResponseError):
                Response.from_llm(wrong)

    def test_hostile_text_takes_little_time(self):
        for text in ("{" * 200_000, '{"a":' * 50_000, '{"a' * 50_000, '{"a":"' + "\\" * 200_001, "{}" * 50_000):
            with self.subTest(text=text[:10]), self.assertRaises(ResponseError):
                Response.from_llm(text)


class ModelAnswers(unittest.TestCase):
    def test_json_is_the_first_object_in_the_text(self):
        self.assertEqual(LLMResponse(text='Here: ```{"a": 1}``` {"b": 2}', model="m").json(), {"a": 1})
        self.assertIsNone(LLMResponse(text="none", model="m").json())
