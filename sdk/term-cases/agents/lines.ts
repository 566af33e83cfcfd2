// The loop that the protocol's document shows, with the types of the SDK.
import { Request, Response } from "../../typescript/term/src/index.ts";

// CORRECT - readline interface
import * as readline from "readline";
const rl = readline.createInterface({ input: process.stdin });
for await (const line of rl) {
  const request = Request.parse(line);
  // process...
  const response = request.first ? Response.cmd("ls -la") : Response.done();
  // oxlint-disable-next-line no-console -- as the document has it
  console.log(JSON.stringify(response)); // Auto-flushes
}
