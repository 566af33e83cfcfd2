"""Tests what functions may return, and what it becomes."""

import datetime
import hashlib
import pathlib
import tempfile
import unittest

from proctor_agent import Result, file, reference, structured
from proctor_agent.json_text import encode, plain
from proctor_agent.redact import Redactor
from proctor_agent.result import response_of, result_of


def respond(value):
    return response_of("t", result_of(value), {"tool_calls": 0}, Redactor({}))


class Results(unittest.TestCase):
    def test_values_become_the_artifact_result(self):
        for value, data in (
            ("text", {"output": "text"}),
            ({"a": (1, 2)}, {"a": [1, 2]}),
            (7, {"output": 7}),
            ([], {"output": []}),
            ([1, {"type": "file"}], {"output": [1, {"type": "file"}]}),
            ({"type": "file", "path": "x"}, {"type": "file", "path": "x"}),
        ):
            with self.subTest(value=value):
                self.assertEqual(respond(value)["artifacts"], [{"type": "structured", "name": "result", "data": data}])

    def test_none_becomes_no_artifact(self):
        self.assertEqual(respond(None)["artifacts"], [])
        self.assertEqual(respond(None)["status"], "completed")

    def test_artifacts_may_be_returned_alone_or_in_a_list(self):
        made = file("a.txt", "hi")
        self.assertEqual(respond(made)["artifacts"], [made])
        self.assertEqual(respond([made, structured("s", {"x": 1}, "kind")])["artifacts"][1]["schema"], "kind")

    def test_a_file_knows_its_size_type_and_hash(self):
        made = file("notes.md", "žluť", "text/markdown")
        digest = hashlib.sha256("žluť".encode()).hexdigest()
        self.assertEqual((made["size_bytes"], made["content_hash"]), (6, f"sha256:{digest}"))
        binary = file("x.png", b"\x00\x01")
        self.assertEqual((binary["content"], binary["content_encoding"]), ("AAE=", "base64"))
        self.assertEqual(binary["content_type"], "image/png")

    def test_a_reference_reads_the_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "x.csv"
            path.write_bytes(b"a,b\n")
            made = reference(path)
        self.assertEqual((made["size_bytes"], made["path"]), (4, str(path)))
        self.assertNotIn("size_bytes", reference("/no/such/file"))

    def test_metrics_of_a_result_replace_counted_ones(self):
        response = respond(Result(metrics={"tool_calls": 9.0, "cost_usd": 0.5, "x": float("nan"), "mine": "yes"}))
        self.assertEqual(response["metrics"], {"tool_calls": 9, "cost_usd": 0.5, "mine": "yes"})

    def test_wrong_results_are_refused_by_the_name_of_the_field(self):
        for value, place in (
            (Result(status="done"), "status"),
            (Result(artifacts=[{"type": "file"}]), "artifacts[0].path"),
            (Result(artifacts=[{"type": "structured", "name": "n", "data": []}]), "artifacts[0].data"),
            (Result(artifacts=[{"type": "file", "path": "p", "size_bytes": "1"}]), "artifacts[0].size_bytes"),
            (Result(artifacts=["x"]), "artifacts[0]"),
            (Result(metrics={"llm_calls": 1.5}), "metrics.llm_calls"),
            ({"deep": [object()]}, "artifacts[0].data.deep[0]"),
            ({"n": 1 << 20_000}, "artifacts[0].data.n"),
        ):
            with self.subTest(place=place), self.assertRaises((TypeError, ValueError)) as caught:
                respond(value)
            self.assertIn(place, str(caught.exception))


class Plain(unittest.TestCase):
    def test_json_has_no_nan(self):
        self.assertEqual(encode(plain({"a": float("nan"), "b": [float("inf")]})), b'{"a":null,"b":[null]}')

    def test_dates_paths_sets_and_odd_keys_are_converted(self):
        value = {7: datetime.date(2025, 1, 2), None: pathlib.PurePosixPath("/a"), True: {"x"}}
        self.assertEqual(plain(value), {"7": "2025-01-02", "null": "/a", "true": ["x"]})

    def test_half_of_a_surrogate_pair_can_be_sent(self):
        self.assertEqual(encode("\ud800"), b'"\\ud800"')

    def test_a_value_that_contains_itself_is_refused(self):
        loop = []
        loop.append(loop)
        with self.assertRaises(ValueError):
            plain(loop)


if __name__ == "__main__":
    unittest.main()
