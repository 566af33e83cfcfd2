"""Tests that a run answers exactly once, whatever its function does."""

import asyncio
import json
import os
import queue
import threading
import unittest

from proctor_agent import AgentError, Cancelled, Limits, Result
from proctor_agent.known_secrets import KnownSecrets
from proctor_agent.log_stream import LogStream, Output
from proctor_agent.run import Run, Surroundings


class Recorder:
    """Starts a run, and waits for its events and its response."""

    def __init__(self, agent, timeout_seconds=30, environment=None):
        self.events, self.responses = queue.Queue(), queue.Queue()
        secrets = KnownSecrets()
        nowhere = LogStream(os.open(os.devnull, os.O_WRONLY), secrets)
        around = Surroundings(agent, Limits(grace_seconds=0.05), secrets, Output(nowhere, nowhere))
        request = {
            "version": "1.0",
            "task_id": "t",
            "task": {"description": "x"},
            "constraints": {"timeout_seconds": timeout_seconds},
            "context": {"environment": environment or {}},
        }
        self.run = Run(around, request, lambda _, data: self.events.put(json.loads(data)), self.responses.put)
        self.run.start()

    def response(self):
        return self.responses.get(timeout=10)

    def event(self):
        return self.events.get(timeout=10)


class Runs(unittest.TestCase):
    def test_events_are_numbered_and_counted(self):
        def agent(task, emit):
            emit.llm_request(model="m", input_tokens=10, output_tokens=5, cost_usd=0.25)
            emit.llm_request(model="m", input_tokens=1, output_tokens="many")
            emit.tool_call("search", status="started", call_id="1")
            emit.tool_call("search", status="success", call_id="1")
            emit.progress(current_step=4)
            emit("reasoning", {"thought": "hm"})

        recorder = Recorder(agent)
        metrics = recorder.response()["metrics"]
        self.assertEqual([recorder.event()["sequence"] for _ in range(6)], list(range(6)))
        metrics.pop("wall_time_seconds")
        self.assertEqual(
            metrics,
            {
                "total_tokens": 16,
                "input_tokens": 11,
                "output_tokens": 5,
                "total_steps": 4,
                "tool_calls": 1,
                "llm_calls": 2,
                "cost_usd": 0.25,
            },
        )

    def test_many_threads_emit_without_gaps(self):
        def agent(task, emit):
            threads = [threading.Thread(target=lambda: [emit.progress(message="x") for _ in range(50)]) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

        recorder = Recorder(agent)
        recorder.response()
        self.assertEqual([recorder.event()["sequence"] for _ in range(400)], list(range(400)))

    def test_errors_fail_the_task_with_their_message(self):
        def raises(error):
            def agent(task, emit):
                raise error

            return agent

        for error, code, message in (
            (ValueError("bad"), "INTERNAL_ERROR", "bad"),
            (KeyError("k"), "INTERNAL_ERROR", "KeyError: 'k'"),
            (SystemExit(3), "INTERNAL_ERROR", "SystemExit: 3"),
            (AgentError("LLM_ERROR", "down", {"after": 3}), "LLM_ERROR", "down"),
        ):
            recorder = Recorder(raises(error))
            response = recorder.response()
            self.assertEqual((response["status"], response["error_code"]), ("failed", code))
            self.assertEqual(response["error"], message)
            self.assertNotIn("Traceback", json.dumps(response))
        self.assertEqual(response["error_details"], {"after": 3})

    def test_a_result_that_cannot_be_sent_fails(self):
        response = Recorder(lambda task, emit: object()).response()
        self.assertEqual((response["status"], response["error_code"]), ("failed", "INTERNAL_ERROR"))
        self.assertIn("which JSON cannot express", response["error"])

    def test_a_cooperative_function_keeps_its_artifacts(self):
        def agent(task, emit):
            emit.progress(message="here")
            task.cancelled.wait(10)
            return {"half": 1}

        recorder = Recorder(agent)
        recorder.event()
        recorder.run.cancel("enough")
        response = recorder.response()
        self.assertEqual((response["status"], response["error"]), ("cancelled", "enough"))
        self.assertEqual(response["artifacts"][0]["data"], {"half": 1})
        self.assertNotIn("error_code", response)

    def test_a_function_that_ignores_its_end_is_stopped_at_its_next_event(self):
        release, stopped = threading.Event(), queue.Queue()

        def agent(task, emit):
            emit.progress(message="here")
            release.wait(10)
            try:
                emit.progress(message="too late")
            except Cancelled as error:
                stopped.put(str(error))
                raise

        recorder = Recorder(agent)
        recorder.event()
        recorder.run.cancel()
        self.assertEqual(recorder.response()["status"], "cancelled")
        release.set()
        self.assertEqual(stopped.get(timeout=10), "the task has ended")
        recorder.run.thread.join(10)
        self.assertTrue(recorder.responses.empty())
        self.assertTrue(recorder.events.empty())

    def test_a_task_out_of_time_ends_as_timeout(self):
        def agent(task, emit):
            task.cancelled.wait(10)
            task.check_cancelled()

        response = Recorder(agent, timeout_seconds=1).response()
        self.assertEqual((response["status"], response["error_code"]), ("timeout", "TIMEOUT"))

    def test_async_functions_run_and_are_interrupted(self):
        async def quick(task, emit):
            await asyncio.sleep(0)
            return "done"

        async def slow(task, emit):
            emit.progress(message="here")
            await asyncio.sleep(60)

        self.assertEqual(Recorder(quick).response()["artifacts"][0]["data"], {"output": "done"})
        recorder = Recorder(slow)
        recorder.event()
        recorder.run.cancel()
        self.assertEqual(recorder.response()["status"], "cancelled")
        recorder.run.thread.join(10)
        self.assertFalse(recorder.run.thread.is_alive())

    def test_except_exception_does_not_swallow_a_cancellation(self):
        def agent(task, emit):
            emit.progress(message="here")
            while True:
                try:
                    task.cancelled.wait(10)
                    task.check_cancelled()
                except Exception:
                    continue

        recorder = Recorder(agent)
        recorder.event()
        recorder.run.cancel()
        recorder.response()
        recorder.run.thread.join(10)
        self.assertFalse(recorder.run.thread.is_alive())

    def test_what_is_sent_holds_no_secret(self):
        def agent(task, emit):
            emit.error(message=f"key {task.env['KEY']}")
            raise AgentError(task.env["KEY"], "no " + task.env["KEY"], {"k": [task.env["KEY"]]})

        recorder = Recorder(agent, environment={"KEY": "hunter2hunter2"})
        self.assertNotIn("hunter2", json.dumps([recorder.response(), recorder.event()]))

    def test_a_result_may_set_its_status(self):
        response = Recorder(lambda task, emit: Result(status="partial", error="half", trace_id="abc")).response()
        self.assertEqual((response["status"], response["error"], response["trace_id"]), ("partial", "half", "abc"))

    def test_an_unknown_event_is_an_error_of_the_agent(self):
        def agent(task, emit):
            emit("gossip", {})

        self.assertIn("gossip", Recorder(agent).response()["error"])


if __name__ == "__main__":
    unittest.main()
