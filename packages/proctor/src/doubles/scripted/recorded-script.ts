// Recordings of A2A agents as a script: what the agent said, without what is new each time, in a file that people can edit.
import { stringify } from "yaml";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { A2aReason } from "../../protocols/a2a/errors.ts";
import type { A2aMessage, StreamResponse } from "../../protocols/a2a/model.ts";

/** The answer of an agent to one message. */
export interface ScriptableTurn {
  message: A2aMessage;
  events: readonly { event: StreamResponse; delayMs: number }[];
  error?: { reason: A2aReason; message: string };
  /** Number of events after which the connection broke; absent where it did not. */
  cutAfter?: number;
}

export interface ScriptableRecording {
  /** Name of the recording. */
  name: string;
  turns: readonly ScriptableTurn[];
}

export interface RecordedScriptOptions {
  /** Factor by which the script is faster than the recording; 0 does not wait at all. */
  speed: number;
}

/** Returns the script in the form of a file. If there is only one task, it is the answer to everything. */
export function recordedScript(
  recordings: readonly ScriptableRecording[],
  { speed }: RecordedScriptOptions,
): JsonObject {
  const tasks = recordings.flatMap(({ name, turns }) =>
    tasksIn(turns).map((task) => ({
      said: textOf(task[0]?.message),
      script: { name, ...conduct(task, speed) },
    })),
  );
  const [first, ...others] = tasks;
  if (first && others.length === 0) return { default: first.script };
  const scripts = tasks.map(({ said, script: { name, ...rest } }, index) => ({
    name,
    ...(said !== "" && { when: { text: said } }),
    // Several tasks that answer the same message are played one after the other.
    ...(tasks.slice(index + 1).some((other) => other.said === said) && { times: 1 }),
    ...rest,
  }));
  // A script that answers anything comes last.
  return { scripts: scripts.toSorted((one, other) => Number("when" in other) - Number("when" in one)) };
}

/** Returns the text of the file, with `note` above it. */
export function formatScript(script: JsonObject, note: string): string {
  return `# ${note}\n${stringify(escaped(script), { lineWidth: 120 })}`;
}

/** Groups the turns by task: the first one begins the task, and the others name it. */
function tasksIn(turns: readonly ScriptableTurn[]): ScriptableTurn[][] {
  const tasks: ScriptableTurn[][] = [];
  for (const turn of turns) {
    const open = turn.message.taskId === undefined ? undefined : tasks.at(-1);
    if (open) open.push(turn);
    else tasks.push([turn]);
  }
  return tasks;
}

function conduct(task: readonly ScriptableTurn[], speed: number): JsonObject {
  const repeated = repeatedIds(task);
  const turns = task.map((turn) => writtenTurn(turn, speed, repeated));
  // Texts of the agent are not templates.
  return { ...(JSON.stringify(turns).includes("{{") && { templates: false }), turns };
}

function writtenTurn(
  { events, error, cutAfter }: ScriptableTurn,
  speed: number,
  kept: ReadonlySet<string>,
): Json {
  const written = events.map(({ event, delayMs }): Json => {
    const said = lasting(event, kept);
    const delay = speed === 0 ? 0 : Math.round(delayMs / speed);
    return delay === 0 ? said : { event: said, delay_ms: delay };
  });
  if (error) return { error };
  return cutAfter === undefined ? written : { events: written, faults: [`cut:${cutAfter}*1`] };
}

/** Removes ids and times that are new for each task. */
function lasting(
  { task, message, statusUpdate, artifactUpdate }: StreamResponse,
  kept: ReadonlySet<string>,
): JsonObject {
  if (task) {
    const { id: _, contextId: __, history: ___, status, ...rest } = task;
    return { task: { status: lastingStatus(status, kept), ...rest } };
  }
  if (message) return { message: lastingMessage(message, kept) };
  if (statusUpdate) {
    const { taskId: _, contextId: __, status, ...rest } = statusUpdate;
    return { statusUpdate: { status: lastingStatus(status, kept), ...rest } };
  }
  const { taskId: _, contextId: __, ...rest } = artifactUpdate ?? {};
  return { artifactUpdate: rest };
}

function lastingStatus(status: JsonObject, kept: ReadonlySet<string>): JsonObject {
  const { timestamp: _, message, ...rest } = status;
  return { ...rest, ...(isJsonObject(message) && { message: lastingMessage(message, kept) }) };
}

function lastingMessage(message: JsonObject, kept: ReadonlySet<string>): JsonObject {
  const { messageId, taskId: _, contextId: __, role, ...rest } = message;
  const isKept = typeof messageId === "string" && kept.has(messageId);
  return { ...(isKept && { messageId }), ...(role !== "ROLE_AGENT" && { role }), ...rest };
}

/** Returns the ids of messages that come in pieces, which their id connects. */
function repeatedIds(task: readonly ScriptableTurn[]): ReadonlySet<string> {
  const ids = task.flatMap(({ events }) =>
    events.flatMap(({ event }) => event.statusUpdate?.status.message?.messageId ?? []),
  );
  return new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
}

function textOf(message: A2aMessage | undefined): string {
  const texts = message?.parts.flatMap(({ text }) => (typeof text === "string" ? [text] : [])) ?? [];
  return texts.join("\n").trim();
}

/** Escapes `${NAME}` in texts of the agent, which is not a variable of the file. */
function escaped(value: Json): Json {
  if (typeof value === "string") return value.replaceAll(/\$(?=\{[A-Z_][A-Z0-9_]*(?::[^}]*)?\})/g, "$$$$");
  if (Array.isArray(value)) return value.map(escaped);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, escaped(item ?? null)]));
}
