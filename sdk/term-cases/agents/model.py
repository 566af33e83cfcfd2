#!/usr/bin/env python3
"""An agent that asks its model for each step, and prints at the end how many tokens that took and what they cost."""

import sys

from term_sdk import LLM, Agent, Request, Response, run


class ModelAgent(Agent):
    def setup(self) -> None:
        self.llm = LLM()

    def solve(self, req: Request) -> Response:
        if not req.first:
            return Response.done()
        answer = self.llm.ask(f"Task: {req.instruction}", system="Answer with JSON.")
        return Response.from_llm(answer.text)

    def cleanup(self) -> None:
        print(f"${self.llm.total_cost:.4f} for {self.llm.total_tokens} tokens", file=sys.stderr)


if __name__ == "__main__":
    run(ModelAgent())
