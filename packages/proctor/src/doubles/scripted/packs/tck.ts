// The behaviours of the A2A TCK for 1.0 (its scenarios/*.feature) and of ACTS as rules: the TCK asks for one by the prefix of a message's id, each
// message for itself; ACTS by the first text of a task, for the whole task. Longer names come first.
import type { Rule } from "../choose-script.ts";
import type { Script, ScriptedEvent, Turn } from "../script.ts";
import { artifact, behaviour, completed, data, file, fileUrl, message, status, working } from "./events.ts";
import { STREAMING_TIMEOUT_MS, type Pack, type PackOptions } from "./pack.ts";

const LONG_RUNNING_MS = 1000;

export function tckPack({ streamingTimeoutMs = STREAMING_TIMEOUT_MS }: PackOptions = {}): Pack {
  const both: Record<string, Script> = byName({
    "tck-complete-task": [status("TASK_STATE_COMPLETED", "Hello from TCK")],
    "tck-message-response": [message("Direct message response")],
    "tck-artifact-text": [artifact({ text: "Generated text content" }), completed],
    "tck-artifact-file": [artifact(file), completed],
    "tck-artifact-file-url": [artifact(fileUrl), completed],
    "tck-artifact-data": [artifact(data), completed],
    "tck-input-required": [status("TASK_STATE_INPUT_REQUIRED", "What else?")],
    "tck-auth-required": [status("TASK_STATE_AUTH_REQUIRED", "Please sign in elsewhere.")],
  });
  const ofTck: Record<string, Script> = {
    ...byName({
      "tck-stream-001": streamed("Stream hello from TCK"),
      "tck-stream-002": [completed],
      "tck-stream-003": streamed("Stream task lifecycle"),
      "tck-stream-ordering-001": streamed("Ordered output"),
      "tck-stream-artifact-text": streamed("Streamed text content"),
      "tck-stream-artifact-file": [working, artifact(file), completed],
      "tck-stream-artifact-chunked": chunked("chunk-1 ", "chunk-2"),
      "test-resubscribe-message-id": [
        working,
        status("TASK_STATE_COMPLETED", undefined, 2 * streamingTimeoutMs),
      ],
      "tck-delayed-complete": [working, status("TASK_STATE_COMPLETED", undefined, streamingTimeoutMs)],
    }),
    "tck-reject-task": behaviour("tck-reject-task", [], {
      error: { reason: "INTERNAL", message: "rejected" },
    }),
    "tck-send-003": behaviour("tck-send-003", [], { error: { reason: "CONTENT_TYPE_NOT_SUPPORTED" } }),
  };
  const ofActs: Record<string, Script> = {
    ...byName({
      "tck-reject-task": [status("TASK_STATE_REJECTED", "rejected")],
      "tck-task-failure": [working, status("TASK_STATE_FAILED", "The task has failed, as it was asked to.")],
      "tck-long-running": [
        working,
        artifact({ text: "Long-running output" }, {}, LONG_RUNNING_MS),
        completed,
      ],
      "tck-stream-basic": streamed("Streamed output"),
      "tck-stream-chunked": chunked("chunk-1 ", "chunk-2 ", "chunk-3"),
    }),
    "tck-cancel": behaviour("tck-cancel", [working], { staysOpen: true }),
    "tck-multi-turn": multiTurn(),
  };
  return {
    rules: [
      ...rulesOf({ ...both, ...ofTck }, (name, script) => ({
        when: { messageIdPrefix: name },
        script,
        each: "message",
      })),
      ...rulesOf({ ...both, ...ofActs }, (name, script) => ({
        when: { textPrefix: name },
        script,
        each: "task",
      })),
      // ACTS expects an unknown name to fail.
      {
        when: { textPrefix: "tck-" },
        script: behaviour("unknown behaviour", [
          status("TASK_STATE_FAILED", "This behaviour is not known here."),
        ]),
        each: "task",
      },
    ],
    fallback: behaviour("complete", [status("TASK_STATE_COMPLETED", "Hello from TCK")]),
  };
}

function byName(events: Record<string, readonly ScriptedEvent[]>): Record<string, Script> {
  return Object.fromEntries(Object.entries(events).map(([name, list]) => [name, behaviour(name, list)]));
}

function rulesOf(scripts: Record<string, Script>, rule: (name: string, script: Script) => Rule): Rule[] {
  return Object.entries(scripts)
    .sort(([one], [other]) => other.length - one.length)
    .map(([name, script]) => rule(name, script));
}

function streamed(text: string): ScriptedEvent[] {
  return [working, artifact({ text }), completed];
}

function chunked(...texts: string[]): ScriptedEvent[] {
  const chunks = texts.map((text, index) =>
    artifact({ text }, { append: index > 0, lastChunk: index === texts.length - 1 }),
  );
  return [working, ...chunks, completed];
}

/** Asks for more until a text begins with `done`. */
function multiTurn(): Script {
  const asking: Turn = { events: [status("TASK_STATE_INPUT_REQUIRED", "And then?")] };
  const done: Turn = { events: [status("TASK_STATE_COMPLETED", "Done.")] };
  return {
    ...behaviour("tck-multi-turn", []),
    turn: (index, text) => (index > 0 && text.startsWith("done") ? done : asking),
  };
}
