// What an agent is: one method that answers a request, and two that may be left out.
import type { Request } from "./request.ts";
import type { Response } from "./response.ts";

/** Lives as long as the task: what it keeps is there at the next step. A plain object with these methods will do. */
export abstract class Agent {
  /** Once, before the first request is read. */
  setup?(): void | Promise<void>;
  /** For each request. What it throws ends the process with an error; it never counts as a finished task. */
  abstract solve(request: Request): Response | Promise<Response>;
  /** Once at the end, whatever happened before. */
  cleanup?(): void | Promise<void>;
}
