// The other JSON of 0.3: HTTP+JSON has the messages of its .proto in the form of ProtoJSON, where JSON-RPC has those of its JSON schema. These
// carry one to the other: `content` for `parts`, no `kind`, names of enums, a wrapper around what is answered. Specification 0.3, section
// 3.2.3 and specification/grpc/a2a.proto. Messages in the form of the JSON schema pass as they are: its text shows them in HTTP+JSON, too.
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import {
  LEGACY_ROLES,
  legacyNameOfState,
  roleOfAnyName,
  stateOfLegacyName,
  stateOfOtherName,
} from "../state-names.ts";
import { each, only, translateFields } from "../translating.ts";
import { pushConfigIn } from "./proto-json-resources.ts";
import { eventKind } from "./wire.ts";

const roleOut = (role: Json): Json => (typeof role === "string" ? (roleOfAnyName(role) ?? role) : role);
const roleIn = (role: Json): Json => {
  const known = typeof role === "string" ? roleOfAnyName(role) : undefined;
  return known ? LEGACY_ROLES[known] : role;
};

/** Spelled with two Ls, as the .proto of 0.3 has it. */
const CANCELLED = "TASK_STATE_CANCELLED";
const stateOut = (state: Json): Json => {
  if (state === "canceled") return CANCELLED;
  return typeof state === "string" ? (stateOfLegacyName(state) ?? state) : state;
};
const stateIn = (state: Json): Json => {
  const known = typeof state === "string" ? stateOfOtherName(state) : undefined;
  return (known && legacyNameOfState(known)) ?? state;
};

const FILE_NAMES = [
  ["bytes", "fileWithBytes"],
  ["uri", "fileWithUri"],
] as const;

/** Leaves out unknown fields with the names of contents: without `kind`, these names say what a part is. */
function partOut(part: JsonObject): JsonObject {
  const { kind, text, file, data, ...rest } = part;
  if (kind === "text") return { ...rest, text };
  if (kind === "file" && isJsonObject(file)) return { ...rest, file: renamed(file, FILE_NAMES) };
  return kind === "data" ? { ...rest, data: { data: data ?? {} } } : part;
}

function partIn(part: JsonObject): JsonObject {
  const { text, file, data } = part;
  if (part["kind"] !== undefined) return part;
  if (typeof text === "string") return { ...part, kind: "text" };
  if (isJsonObject(file)) {
    const back = FILE_NAMES.map(([schema, proto]) => [proto, schema] as const);
    return { ...part, kind: "file", file: renamed(file, back) };
  }
  if (isJsonObject(data))
    return { ...part, kind: "data", data: isJsonObject(data["data"]) ? data["data"] : data };
  return part;
}

function renamed(value: JsonObject, names: readonly (readonly [string, string])[]): JsonObject {
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, field]) => [names.find(([from]) => from === name)?.[1] ?? name, field]),
  );
}

const messageOut = only((message) => {
  const { kind: _, parts, ...rest } = translateFields(message, { role: roleOut, parts: each(partOut) });
  return { ...rest, ...(parts !== undefined && { content: parts }) };
});
const messageIn = only((message) => {
  const { content, ...rest } = message;
  const parts = message["parts"] ?? content;
  const whole = { ...rest, ...(parts !== undefined && { parts }) };
  return { kind: "message", ...translateFields(whole, { role: roleIn, parts: each(partIn) }) };
});

const statusOut = only((status) => translateFields(status, { state: stateOut, message: messageOut }));
const statusIn = only((status) => translateFields(status, { state: stateIn, message: messageIn }));
const artifactOut = only((artifact) => translateFields(artifact, { parts: each(partOut) }));
const artifactIn = only((artifact) => translateFields(artifact, { parts: each(partIn) }));

const OUT = {
  status: statusOut,
  artifact: artifactOut,
  artifacts: each(artifactOut),
  history: each(messageOut),
};
const IN = { status: statusIn, artifact: artifactIn, artifacts: each(artifactIn), history: each(messageIn) };

export const taskOut = only((task) => {
  const { kind: _, ...rest } = translateFields(task, OUT);
  return rest;
});
export const taskIn = only((task) => ({ kind: "task", ...translateFields(task, IN) }));

/** Names of the wrapper, and the kinds that they stand for. `msg` is the name of the field in the .proto. */
const WRAPPERS = [
  { name: "task", kind: "task" },
  { name: "message", kind: "message" },
  { name: "msg", kind: "message" },
  { name: "statusUpdate", kind: "status-update" },
  { name: "artifactUpdate", kind: "artifact-update" },
];

/** Writes the result of sending, or an event of a stream. */
export const eventOut = only((event, translation) => {
  const known = WRAPPERS.find(({ kind }) => kind === eventKind(event));
  if (!known) return event;
  return { [known.name]: (known.kind === "message" ? messageOut : taskOut)(event, translation) };
});

export const eventIn = only((event, translation) => {
  const known = WRAPPERS.find(({ name }) => isJsonObject(event[name]));
  const inner = known ? event[known.name] : undefined;
  if (!known || event["kind"] !== undefined || !isJsonObject(inner)) return event;
  if (known.kind === "message") return messageIn(inner, translation);
  // ProtoJSON leaves out what is false.
  const final = known.kind === "status-update" && { final: false };
  return { ...final, ...translateFields(inner, IN), kind: known.kind };
});

const configurationOut = only((value) => renamed(value, [["pushNotificationConfig", "pushNotification"]]));
const configurationIn = only((value) =>
  translateFields(renamed(value, [["pushNotification", "pushNotificationConfig"]]), {
    pushNotificationConfig: pushConfigIn,
  }),
);

export const sendOut = only((request) =>
  translateFields(request, { message: messageOut, configuration: configurationOut }),
);
export const sendIn = only((request) =>
  translateFields(request, { message: messageIn, configuration: configurationIn }),
);
