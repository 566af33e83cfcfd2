// The minimal agent, in TypeScript. With the package installed the import is from "term-sdk".
import { Agent, type Request, Response, run } from "../../sdk/typescript/term/src/index.ts";

class MyAgent extends Agent {
  override solve(req: Request): Response {
    if (req.first) return Response.cmd("echo 'Hello, world!' > hello.txt");
    return Response.done();
  }
}

await run(new MyAgent());
