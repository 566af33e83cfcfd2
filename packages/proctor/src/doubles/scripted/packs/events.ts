// The events that the built-in packs are made of, in the shapes of A2A 1.0. Ids and times are added when they are played.
import type { JsonObject } from "../../../core/json.ts";
import type { KnownTaskState } from "../../../protocols/a2a/model.ts";
import { createScript, type Script, type ScriptedEvent, type Turn } from "../script.ts";

export function status(state: KnownTaskState, text?: string, delayMs?: number): ScriptedEvent {
  const message = text === undefined ? {} : { message: { role: "ROLE_AGENT", parts: [{ text }] } };
  return {
    event: { statusUpdate: { status: { state, ...message } } },
    ...(delayMs !== undefined && { delayMs }),
  };
}

export const working = status("TASK_STATE_WORKING");
export const completed = status("TASK_STATE_COMPLETED");

export function artifact(part: JsonObject, more: JsonObject = {}, delayMs?: number): ScriptedEvent {
  const event = { artifactUpdate: { artifact: { artifactId: "output", parts: [part] }, ...more } };
  return { event, ...(delayMs !== undefined && { delayMs }) };
}

export const message = (text: string): ScriptedEvent => ({
  event: { message: { role: "ROLE_AGENT", parts: [{ text }] } },
});

export const file = {
  raw: Buffer.from("tck").toString("base64"),
  filename: "output.txt",
  mediaType: "text/plain",
};
export const fileUrl = {
  url: "https://example.com/output.txt",
  filename: "output.txt",
  mediaType: "text/plain",
};
export const data = { data: { key: "value", count: 42 } };

/** Returns a script of one turn; later messages end the task. Kits want ended tasks to refuse messages, as A2A requires. */
export function behaviour(
  name: string,
  events: readonly ScriptedEvent[],
  more: Omit<Turn, "events"> = {},
): Script {
  const first: Turn = { events, ...more };
  const later: Turn = { events: [status("TASK_STATE_COMPLETED", "Thank you.")] };
  return {
    ...createScript(name, [first, later], { ended: "refuse" }),
    turn: (index) => (index === 0 ? first : later),
  };
}
