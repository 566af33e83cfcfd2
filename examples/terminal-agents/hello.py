#!/usr/bin/env python3
from term_sdk import Agent, Request, Response, run

class MyAgent(Agent):
    def solve(self, req: Request) -> Response:
        if req.first:
            return Response.cmd("echo 'Hello, world!' > hello.txt")
        return Response.done()

if __name__ == "__main__":
    run(MyAgent())
