#!/usr/bin/env python3
"""Asks its model at every step what to type next."""

from term_sdk import LLM, Agent, Request, Response, ResponseError, run

SYSTEM = """You work in a Linux terminal on a task. Answer with one JSON object and nothing else:
{"command": "what to type next", "task_complete": false, "text": "why"}
You see the command's output before you are asked again. Commands cannot ask questions: nobody answers them.
When you have checked that the task is done, answer {"command": null, "task_complete": true}."""


class LLMAgent(Agent):
    def setup(self):
        self.llm = LLM()
        self.messages = [{"role": "system", "content": SYSTEM}]

    def solve(self, req: Request) -> Response:
        self.tell(f"The task: {req.instruction}\nYou are in {req.cwd}." if req.first else self.outcome(req))
        for _ in range(3):
            answer = self.llm.chat(self.messages)
            self.messages = answer.messages
            try:
                return Response.from_llm(answer)
            except ResponseError as error:
                self.tell(f"That could not be used: {error}. Answer with the JSON object only.")
        raise RuntimeError("the model gave no usable answer three times in a row")

    def outcome(self, req: Request) -> str:
        return f"Exit code {req.exit_code}, now in {req.cwd}. Output:\n{req.output}"

    def tell(self, content: str) -> None:
        self.messages.append({"role": "user", "content": content})


if __name__ == "__main__":
    run(LLMAgent())
