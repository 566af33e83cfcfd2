"""Tests the life of a terminal agent: streams, errors, signals, async methods."""

import io
import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import unittest

from term_sdk import Agent, Request, RequestError, Response, run_loop

ROOT = str(pathlib.Path(__file__).resolve().parents[1])
FIRST = '{"instruction": "a", "step": 1}\n'


class Recorder(Agent):
    def __init__(self, *answers):
        self.calls = []
        self.answers = list(answers)

    def setup(self):
        self.calls.append("setup")

    def solve(self, req):
        self.calls.append(req.step)
        answer = self.answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def cleanup(self):
        self.calls.append("cleanup")


def play(agent, *lines):
    out = io.StringIO()
    return run_loop(agent, list(lines), out), out.getvalue()


class Loop(unittest.TestCase):
    def test_returns_the_last_answer(self):
        agent = Recorder(Response.cmd("ls"), Response.done())
        last, text = play(agent, FIRST, FIRST, FIRST)
        self.assertTrue(last.task_complete)
        self.assertEqual(text.count("\n"), 2)
        self.assertEqual(agent.calls, ["setup", 1, 1, "cleanup"])
        self.assertIsNone(play(Recorder())[0])

    def test_raises_what_the_agent_raises_after_cleanup(self):
        for error in (ValueError("no"), KeyboardInterrupt(), SystemExit(3)):
            agent = Recorder(error)
            with self.subTest(error=error), self.assertRaises(type(error)):
                play(agent, FIRST)
            self.assertEqual(agent.calls, ["setup", 1, "cleanup"])

    def test_refuses_a_wrong_response_and_a_wrong_request(self):
        for answer in (None, {"command": "ls"}, "ls"):
            with self.subTest(answer=answer), self.assertRaises(TypeError):
                play(Recorder(answer), FIRST)
        with self.assertRaises(RequestError):
            play(Recorder(), "{}")
        with self.assertRaises(NotImplementedError):
            play(Agent(), FIRST)

    def test_waits_for_async_methods_in_one_event_loop(self):
        import asyncio

        class Async(Agent):
            async def setup(self):
                self.queue = asyncio.Queue()
                self.task = asyncio.ensure_future(self.queue.put("ls"))

            async def solve(self, req: Request):
                return Response.cmd(await self.queue.get()).complete()

            async def cleanup(self):
                self.done = self.task.done()

        agent = Async()
        self.assertEqual(play(agent, FIRST)[0].command, "ls")
        self.assertTrue(agent.done)


class Program(unittest.TestCase):
    def start(self, body, *args):
        code = "from term_sdk import *\nimport os, subprocess, sys, time\n" + textwrap.dedent(body)
        env = {"PATH": os.environ["PATH"], "PYTHONPATH": ROOT, "PYTHONDONTWRITEBYTECODE": "1"}
        pipe = subprocess.PIPE
        process = subprocess.Popen(
            [sys.executable, *args, "-W", "error", "-c", code], stdin=pipe, stdout=pipe, stderr=pipe, env=env, text=True
        )
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def test_what_the_agent_prints_goes_to_stderr(self):
        process = self.start(
            """
            print("before", end="")
            class A(Agent):
                def solve(self, req):
                    print("printed")
                    os.write(1, b"written\\n")
                    subprocess.run(["echo", "child"])
                    assert sys.stdin.read() == "" and subprocess.run(["cat"]).returncode == 0
                    return Response.cmd("ls") if req.first else Response.done()
            run(A())
            print("after")
            """
        )
        out, err = process.communicate(FIRST + FIRST.replace("1", "2"))
        answers = ['{"command":"ls","task_complete":false}', '{"command":null,"task_complete":true}']
        self.assertEqual(out.splitlines(), [*answers, "after"])
        for word in ("before", "printed", "written", "child"):
            self.assertIn(word, err)
        self.assertEqual(process.returncode, 0)

    def test_an_error_prints_its_traceback_and_ends_with_1(self):
        process = self.start(
            """
            class A(Agent):
                def solve(self, req):
                    raise KeyError("who")
                def cleanup(self):
                    raise OSError("that too")
            run(A())
            """
        )
        out, err = process.communicate(FIRST)
        self.assertEqual((out, process.returncode), ("", 1))
        self.assertRegex(err, r"that too(.|\n)*Traceback(.|\n)*term_sdk: the agent failed: KeyError: 'who'\n$")

    def test_an_exit_in_solve_keeps_its_code(self):
        process = self.start("class A(Agent):\n    def solve(self, req):\n        sys.exit(7)\nrun(A())")
        self.assertEqual(process.communicate(FIRST), ("", ""))
        self.assertEqual(process.returncode, 7)

    @unittest.skipIf(os.name == "nt", "there are no such signals")
    def test_signals_end_the_program_after_cleanup(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            process = self.start(
                """
                class A(Agent):
                    def solve(self, req):
                        print("here", flush=True)
                        time.sleep(60)
                    def cleanup(self):
                        print("cleanup")
                run(A())
                """
            )
            process.stdin.write(FIRST)
            process.stdin.flush()
            self.assertEqual(process.stderr.readline(), "here\n")
            process.send_signal(number)
            with self.subTest(number=number):
                self.assertEqual(process.communicate(), ("", "cleanup\n"))
                self.assertEqual(process.returncode, 128 + number)

    def test_a_line_without_end_is_refused(self):
        process = self.start(
            """
            import term_sdk.protocol_streams as streams
            streams.MAX_LINE_BYTES = 1000
            run(Agent())
            """
        )
        _, err = process.communicate("x" * 5000)
        self.assertIn("the request is larger than 1000 bytes", err)
        self.assertEqual(process.returncode, 1)

    def test_an_agent_without_a_model_does_not_load_http(self):
        code = "import sys, term_sdk; early = 'http.client' in sys.modules; term_sdk.LLM; print(early, 'http.client' in sys.modules)"
        process = subprocess.run(
            [sys.executable, "-S", "-c", code], env={**os.environ, "PYTHONPATH": ROOT}, stdout=subprocess.PIPE, text=True
        )
        self.assertEqual(process.stdout, "False True\n")
