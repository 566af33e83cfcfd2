"""An agent that does what the instruction names. cases.ts and sdk/rust/examples/cases.rs do the same."""

import os
import sys

from term_sdk import LLM, Agent, LLMError, Response, Tool, run


class Cases(Agent):
    def setup(self):
        self._enter("setup")
        self._open_llm()

    def _open_llm(self):
        seconds = float(os.environ.get("CASES_TIMEOUT_MS", "10000")) / 1000
        self.llm = LLM(timeout=seconds, retries=int(os.environ.get("CASES_RETRIES", "3")))
        self.llm.register_function("add", lambda a, b: a + b)
        self.llm.register_function("echo", lambda text: text)
        self.llm.register_function("broken", self._broken)

    def solve(self, req):
        extra = req.extra
        if req.instruction == "show":
            names = "instruction step last_command output exit_code cwd first ok failed extra".split()
            return Response.say("shown").with_data({name: getattr(req, name) for name in names})
        if req.instruction == "has":
            return Response.say("has").with_data(req.has(*extra["patterns"]))
        if req.instruction == "match":
            found = req.match(extra["pattern"])
            return Response.say("match").with_data(found and [found.group(), *found.groups()])
        if req.instruction == "answer":
            return Response.from_llm(extra["text"])
        if req.instruction == "cmd":
            response = Response.cmd(extra["command"])
            if "text" in extra:
                response.with_text(extra["text"])
            if "data" in extra:
                response.with_data(extra["data"])
            return response.complete() if extra.get("complete") else response
        if req.instruction == "done":
            return Response.done()
        if req.instruction == "llm":
            try:
                return Response.say("llm").with_data(self._call(extra["call"]))
            except LLMError as error:
                names = ("status", "partial", "retry_after_seconds", "model", "provider")
                details = {name: error.details[name] for name in names if name in error.details}
                return Response.say("llm").with_data({"error": error.code, "message": error.message, **details})
        raise RuntimeError(f"told to {req.instruction}")

    def cleanup(self):
        self._enter("cleanup")

    def _call(self, call):
        options = {name: call[name] for name in ("model", "temperature", "max_tokens") if name in call}
        if "system" in call:
            options["system"] = call["system"]
        tools = [Tool(**tool) for tool in call.get("tools", [])]
        if call["op"] == "new":
            return self._open_llm()
        if call["op"] == "totals":
            return {"total_tokens": self.llm.total_tokens, "total_cost": self.llm.total_cost}
        if call["op"] == "stats":
            return self.llm.get_stats(call.get("model"))
        if call["op"] == "ask":
            return _shown(self.llm.ask(call["prompt"], tools=tools, **options))
        if call["op"] == "chat":
            return _shown(self.llm.chat(call["messages"], **options))
        if call["op"] == "functions":
            rounds = call.get("max_rounds", 10)
            return _shown(self.llm.chat_with_functions(call["messages"], tools, max_rounds=rounds, **options))
        chunks = []
        if call["op"] == "stream":
            for text in self.llm.stream(call["prompt"], **options):
                chunks.append(text)
            return {"chunks": chunks}

        def keep(text):
            chunks.append(text)
            return len(chunks) != call.get("stop_after")

        response = self.llm.ask_stream(call["prompt"], on_chunk=keep, tools=tools, **options)
        return {**_shown(response), "chunks": chunks}

    def _broken(self):
        raise ValueError("out of order")

    def _enter(self, phase):
        print(phase, file=sys.stderr, flush=True)
        if os.environ.get("CASES_FAIL_IN") == phase:
            raise RuntimeError(f"told to fail in {phase}")


def _shown(response):
    return {
        "text": response.text,
        "model": response.model,
        "tokens": [response.input_tokens, response.output_tokens, response.tokens],
        "cost": response.cost,
        "finish_reason": response.finish_reason,
        "calls": [[call.name, call.arguments, call.id] for call in response.function_calls],
        "messages": response.messages,
    }


run(Cases())
