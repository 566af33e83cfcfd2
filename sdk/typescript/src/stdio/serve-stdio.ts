// Serves one task over stdin and stdout: a line of JSON in, events on stderr, one line of JSON out.
import type { Readable } from "node:stream";
import { decodeRequest, refuse } from "../protocol/decode-request.ts";
import { type AtpEvent, type AtpRequest, type AtpResponse, NO_TASK_ID } from "../protocol/messages.ts";
import { type AgentFunction, type RunningTask, runTask } from "../task/run-task.ts";
import { readLine } from "./read-line.ts";

interface StdioDeps {
  stdin: Readable;
  /** Writes the response, a line without its line break. Resolves when it is written. */
  respond(line: string): Promise<unknown>;
  report(line: string): Promise<unknown>;
  /** Called when the task starts. */
  started?(task: RunningTask): void;
}

/** Returns the response that was sent; undefined when the signal aborted before a request arrived. */
export async function serveStdio(
  agent: AgentFunction,
  deps: StdioDeps,
  signal: AbortSignal,
): Promise<AtpResponse | undefined> {
  const line = await readLine(deps.stdin, signal);
  if (line === "stopped") return undefined;
  const decoded =
    "bytes" in line
      ? decodeRequest(line.bytes)
      : { refusal: refuse(NO_TASK_ID, [{ field: "", message: line.problem }]) };
  const response = "refusal" in decoded ? decoded.refusal : await run(agent, decoded.request, deps, signal);
  await deps.respond(JSON.stringify(response));
  return response;
}

async function run(
  agent: AgentFunction,
  request: AtpRequest,
  deps: StdioDeps,
  signal: AbortSignal,
): Promise<AtpResponse> {
  let written: Promise<unknown> | undefined;
  const task = runTask(agent, request, (event: AtpEvent) => {
    written = deps.report(JSON.stringify(event));
  });
  deps.started?.(task);
  const cancel = (): void => task.cancel("the agent is being stopped");
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  const response = await task.response;
  signal.removeEventListener("abort", cancel);
  // A driver may stop reading stderr once it has the response, so the events go first.
  await written;
  return response;
}
