"""Tests which requests are accepted, and what a refusal says."""

import json
import unittest

from proctor_agent.errors import Refusal
from proctor_agent.request import parse_request

GOOD = {"version": "1.0", "task_id": "t-1", "task": {"description": "x"}}


def bytes_of(**changes):
    return json.dumps({**GOOD, **changes}).encode()


class ParseRequest(unittest.TestCase):
    def refusal(self, data):
        with self.assertRaises(Refusal) as caught:
            parse_request(data)
        return caught.exception

    def test_accepts_what_the_document_and_real_clients_send(self):
        for changes in (
            {},
            {"version": "1.7", "spice": {"hot": True}},
            {"constraints": {"allowed_tools": None, "timeout_seconds": 5.0, "budget_usd": 0}},
            {"task": {"description": "ж" * 10_000, "expected_artifacts": ["a.md", {"type": "file", "name": "b"}]}},
            {"context": {"tools_endpoint": "http://127.0.0.1:1/t", "environment": {"A": ""}, "region": 1}},
        ):
            with self.subTest(changes=changes):
                self.assertEqual(parse_request(bytes_of(**changes)), json.loads(bytes_of(**changes)))

    def test_names_the_field_of_a_problem(self):
        for changes, field in (
            ({"version": "2.0"}, "version"),
            ({"version": "01"}, "version"),
            ({"version": "1.0\n"}, "version"),
            ({"version": 1}, "version"),
            ({"version": "9" * 5000 + ".0"}, "version"),
            ({"task_id": ""}, "task_id"),
            ({"task_id": 7}, "task_id"),
            ({"task_id": "x" * 257}, "task_id"),
            ({"task": None}, "task"),
            ({"task": "do"}, "task"),
            ({"task": {}}, "task.description"),
            ({"task": {"description": ""}}, "task.description"),
            ({"task": {"description": "x" * 10_001}}, "task.description"),
            ({"task": {"description": "x", "input_data": []}}, "task.input_data"),
            ({"task": {"description": "x", "expected_artifacts": [1]}}, "task.expected_artifacts[0]"),
            ({"task": {"description": "x", "expected_artifacts": [{"type": "x"}]}}, "task.expected_artifacts[0].type"),
            ({"constraints": {"timeout_seconds": True}}, "constraints.timeout_seconds"),
            ({"constraints": {"timeout_seconds": 0}}, "constraints.timeout_seconds"),
            ({"constraints": {"timeout_seconds": 1.5}}, "constraints.timeout_seconds"),
            ({"constraints": {"timeout_seconds": 86_401}}, "constraints.timeout_seconds"),
            ({"constraints": {"max_steps": "1"}}, "constraints.max_steps"),
            ({"constraints": {"allowed_tools": [1]}}, "constraints.allowed_tools[0]"),
            ({"constraints": {"budget_usd": -1}}, "constraints.budget_usd"),
            ({"context": {"environment": {"A": None}}}, "context.environment.A"),
            ({"context": {"tools_endpoint": "not a uri"}}, "context.tools_endpoint"),
            ({"metadata": []}, "metadata"),
            ({"context": None}, "context"),
            ({"context": {"environment": {f"K{n}": "" for n in range(1001)}}}, "context.environment"),
        ):
            with self.subTest(field=field, changes=str(changes)[:60]):
                self.assertEqual(self.refusal(bytes_of(**changes)).details["field"], field)

    def test_lists_every_problem(self):
        refusal = self.refusal(b'{"version": 1}')
        fields = [problem["field"] for problem in refusal.details["problems"]]
        self.assertEqual(sorted(fields), ["task", "task_id", "version"])

    def test_keeps_the_task_id_of_a_refused_request(self):
        self.assertEqual(self.refusal(bytes_of(version="2.0")).task_id, "t-1")
        self.assertIsNone(self.refusal(bytes_of(task_id=7)).task_id)

    def test_refuses_bytes_that_are_not_a_request(self):
        deep = b'{"a":' * 100_000 + b"1" + b"}" * 100_000
        lists = b'{"metadata":{"a":' + b"[" * 300 + b"]" * 300 + b"}}"
        for data in (b"", b"{", b"null", b"[]", b"\xff\xfe", b"\xef\xbb\xbf{}", b'{"a": NaN}', b"-Infinity", deep, lists):
            with self.subTest(data=data[:20]):
                self.assertEqual(self.refusal(data).status, 400)

    def test_does_not_quote_a_wrong_value(self):
        refusal = self.refusal(bytes_of(context={"environment": {"A": ["s3cret-value"]}}))
        self.assertNotIn("s3cret-value", str(refusal.details) + refusal.message)


if __name__ == "__main__":
    unittest.main()
