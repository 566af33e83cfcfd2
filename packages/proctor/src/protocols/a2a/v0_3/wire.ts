// The messages of A2A 0.3 as they are read, in the shapes of its JSON schema (specification/json/a2a.json). Section numbers are those of
// specification 0.3.
import { isJsonObject } from "../../../core/json.ts";
import { anyObject, filledText, flag, list, required, text, textOrNothing, texts } from "../readers.ts";
import type { Reader } from "../reading.ts";
import { object, ofKind, part, role, state } from "./wire-parts.ts";

const none = (): [] => [];
const empty = (): string => "";
const parts = list(part, { atLeast: "one part" });

const messageFields = {
  contextId: textOrNothing,
  taskId: textOrNothing,
  parts: required(parts, none),
  metadata: anyObject,
  extensions: texts,
  referenceTaskIds: texts,
};

/** Message of a client. */
export const clientMessage = ofKind(
  "message",
  object({ messageId: required(filledText), role: required(role), ...messageFields }, "6.4"),
);

/** Message of an agent, or one in its history. */
const message = ofKind(
  "message",
  object(
    {
      messageId: required(filledText, empty),
      role: required(role, () => "agent"),
      ...messageFields,
    },
    "6.4",
  ),
);

const artifact = object(
  {
    artifactId: required(filledText, empty),
    name: text,
    description: text,
    parts: required(parts, none),
    metadata: anyObject,
    extensions: texts,
  },
  "6.7",
);

const status = object({ state: required(state), message, timestamp: text }, "6.2");

export const task = ofKind(
  "task",
  object(
    {
      id: required(filledText),
      contextId: required(text, empty),
      status: required(status),
      artifacts: list(artifact),
      history: list(message),
      metadata: anyObject,
    },
    "6.1",
  ),
);

const update = {
  taskId: required(filledText, empty),
  contextId: required(filledText, empty),
  metadata: anyObject,
};

const statusUpdate = object({ ...update, status: required(status), final: flag }, "7.2.2");
const artifactUpdate = object(
  { ...update, artifact: required(artifact), append: flag, lastChunk: flag },
  "7.2.3",
);

const KINDS: ReadonlyMap<string, Reader> = new Map([
  ["task", task],
  ["message", message],
  ["status-update", ofKind("status-update", statusUpdate)],
  ["artifact-update", ofKind("artifact-update", artifactUpdate)],
]);

/** Returns `kind`, or the kind that the fields show where it is missing; undefined where it is unknown. */
export function eventKind(value: object): string | undefined {
  const { kind } = value as { kind?: unknown };
  if (typeof kind === "string") return kind;
  if (kind != null) return undefined;
  if ("artifact" in value) return "artifact-update";
  if ("status" in value) return "taskId" in value ? "status-update" : "task";
  return "parts" in value ? "message" : undefined;
}

/** Reads one of these kinds. Others belong to a later version, and are kept where `others` says so. */
export function oneOfKinds(kinds: readonly string[], others: "kept" | "refused"): Reader {
  return (value, reading) => {
    if (!isJsonObject(value)) return reading.wrongType("object", value);
    const kind = eventKind(value);
    if (kind !== undefined && kinds.includes(kind)) return KINDS.get(kind)?.(value, reading);
    reading.wrong(`must be ${kinds.map((name) => JSON.stringify(name)).join(" or ")}`, "kind");
    return others === "kept" && kind !== undefined ? value : undefined;
  };
}
