// The protocol on one WebSocket: many tasks at once, told apart by their ids.
import { decodeValue, parseInput, refuse, refuseStopping, taskIdOf } from "../protocol/decode-request.ts";
import { isObject } from "../protocol/json.ts";
import type { AtpEvent, AtpRequest, AtpResponse } from "../protocol/messages.ts";
import type { RunningTask } from "../task/run-task.ts";

export interface SessionDeps {
  start: (request: AtpRequest, send: (event: AtpEvent) => void) => RunningTask;
  isStopping: () => boolean;
  send: (message: AtpEvent | AtpResponse) => void;
  close: (code: number, reason: string) => void;
}

export interface Session {
  receive(text: string): void;
  cancelAll(reason: string): void;
}

const MAX_TASKS = 10_000;

export function createSession({ start, isStopping, send, close }: SessionDeps): Session {
  const running = new Map<string, RunningTask>();

  function receive(text: string): void {
    const parsed = parseInput(text);
    if ("refusal" in parsed) return send(parsed.refusal);
    const { value } = parsed;
    if (isObject(value) && typeof value["type"] === "string" && value["task"] === undefined)
      return control(value);
    const decoded = decodeValue(value);
    if ("refusal" in decoded) return send(decoded.refusal);
    execute(decoded.request);
  }

  /** Ignores the cancelling of a task that does not run: it may have ended a moment ago, which is no mistake of the client. */
  function control(message: Record<string, unknown>): void {
    const { type, task_id: id, reason } = message;
    if (type === "cancel" && typeof id === "string") {
      running.get(id)?.cancel(typeof reason === "string" ? reason : "the client cancelled it");
      return;
    }
    const problem =
      type === "cancel"
        ? { field: "task_id", message: "must be a string" }
        : { field: "type", message: "is not one that this agent understands" };
    send(refuse(taskIdOf(message), [problem]));
  }

  function execute(request: AtpRequest): void {
    const { task_id: id } = request;
    if (running.has(id)) {
      return send(
        refuse(id, [{ field: "task_id", message: "is that of a task that still runs on this socket" }]),
      );
    }
    if (isStopping()) return send(refuseStopping(request));
    if (running.size >= MAX_TASKS) return close(1013, "too many tasks");
    const task = start(request, send);
    running.set(id, task);
    void task.response.then((response) => {
      running.delete(id);
      send(response);
    });
  }

  return {
    receive,
    cancelAll(reason) {
      for (const task of running.values()) task.cancel(reason);
    },
  };
}
