// What an agent is: one method that answers a request, and two that may be left out.
import type { Request } from "./request.ts";
import type { Response } from "./response.ts";

/** An agent lives as long as its task, so its fields are kept from step to step. A plain object with these methods works as well. */
export abstract class Agent {
  /** Called once, before the first request is read. */
  setup?(): void | Promise<void>;
  /** Called for each request. An error that it throws ends the process and never counts as a finished task. */
  abstract solve(request: Request): Response | Promise<Response>;
  /** Called once at the end, even after an error. */
  cleanup?(): void | Promise<void>;
}
