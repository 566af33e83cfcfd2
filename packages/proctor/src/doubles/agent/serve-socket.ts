// A mock agent over a WebSocket, `atp.v1`: many tasks at once, each message a frame.
import { ProctorError } from "../../core/errors.ts";
import { isJsonObject, type Json } from "../../core/json.ts";
import type { MessageSocket } from "../../core/ports/message-socket.ts";
import { parseJson } from "../../core/parse-json.ts";
import type { MockAgent } from "./mock-agent.ts";
import { readRequest, type AskedTask } from "./read-request.ts";

export const SUBPROTOCOL = "atp.v1";
/** Tasks at once, more than any test needs. */
const MAX_TASKS = 1000;

export async function serveSocket(
  socket: MessageSocket,
  agent: MockAgent,
  signal: AbortSignal,
): Promise<void> {
  const tasks = new Map<string, AbortController>();
  const performing = new Set<Promise<void>>();
  const stop = (): void => socket.close(1001, "the mock agent is stopping");

  async function performTask(task: AskedTask, left: AbortController): Promise<void> {
    const either = AbortSignal.any([left.signal, signal]);
    const outcome = await agent.begin(task).play(({ text }) => socket.send(text), either);
    tasks.delete(task.taskId);
    // A socket has no other way to say that nothing more will come.
    if (outcome === "cut") socket.close(1011, "cut on purpose");
    else if (outcome === "silent") socket.close(1000, "no response was recorded");
  }

  function receive(text: string): void {
    let task: AskedTask;
    try {
      const frame = parseJson(text, "the frame");
      const cancelled = cancelledTask(frame);
      if (cancelled !== undefined) return tasks.get(cancelled)?.abort();
      task = readRequest(frame);
    } catch (error) {
      if (!ProctorError.is(error)) throw error;
      return socket.close(1008, "the frame is no ATP request");
    }
    if (tasks.has(task.taskId) || tasks.size >= MAX_TASKS)
      return socket.close(1008, "too many tasks, or one twice");
    const left = new AbortController();
    tasks.set(task.taskId, left);
    const done: Promise<void> = performTask(task, left).finally(() => performing.delete(done));
    performing.add(done);
  }

  signal.addEventListener("abort", stop);
  try {
    for await (const text of socket.messages) receive(text);
    await socket.closed;
  } finally {
    signal.removeEventListener("abort", stop);
    for (const left of tasks.values()) left.abort();
    await Promise.all(performing);
  }
}

function cancelledTask(frame: Json): string | undefined {
  if (!isJsonObject(frame) || frame["type"] !== "cancel" || "task" in frame) return undefined;
  return typeof frame["task_id"] === "string" ? frame["task_id"] : undefined;
}
