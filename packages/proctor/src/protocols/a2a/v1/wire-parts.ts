// What the messages of A2A 1.0 have in common: objects with ProtoJSON's names, parts, states and roles. Specification 1.0, sections 4.1
// and 5.5; field by field, specification/a2a.proto.
import { isJsonObject, type JsonObject } from "../../../core/json.ts";
import { base64 } from "../base64.ts";
import { TASK_STATES, type Role } from "../model.ts";
import { anyObject, inSection, object as objectOf, text } from "../readers.ts";
import type { Reader } from "../reading.ts";
import { isKnownState, roleOfAnyName, stateOfOtherName } from "../state-names.ts";

/** Reads objects of 1.0, whose fields may have the names of the .proto, as every ProtoJSON parser accepts them. */
export function object(fields: Parameters<typeof objectOf>[0], section?: string): Reader {
  return objectOf(fields, { protoNames: true, ...(section !== undefined && { section }) });
}

const CONTENTS = ["text", "raw", "url", "data"] as const;
const BESIDE = new Set(["filename", "mediaType", "metadata"]);

/** `data` is not among them: null is one of the values it may have. */
const partFields = object({
  text,
  raw: base64,
  url: text,
  filename: text,
  mediaType: text,
  metadata: anyObject,
});

export const part = inSection("4.1.6", (value, reading) => {
  const before = reading.found;
  const read = partFields(value, reading);
  if (!isJsonObject(read)) return undefined;
  const [content, ...more] = CONTENTS.filter((name) => read[name] !== undefined);
  if (content === undefined) {
    if (Object.keys(read).some((name) => !BESIDE.has(name))) return read;
    if (reading.found === before) reading.wrong("must have text, raw, url or data");
    return undefined;
  }
  if (more.length === 0) return read;
  reading.wrong(`must have one of text, raw, url and data, and has ${[content, ...more].join(" and ")}`);
  return withoutFields(read, more);
});

function withoutFields(value: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

/** Reads the name of a state; undefined where the value cannot be one. States of later versions are kept unchanged. */
export const state: Reader = (value, reading) => {
  if (typeof value === "number") {
    const name = TASK_STATES[value];
    if (name === undefined) return reading.wrong("is the number of no state");
    reading.odd("must be the name of a state, and is its number");
    return name;
  }
  if (typeof value !== "string") return reading.wrongType("string", value);
  if (isKnownState(value)) return value;
  if (value === "") return reading.wrong("must not be empty");
  const meant = stateOfOtherName(value);
  reading.odd(meant === undefined ? "is no state of this version" : `must be called ${meant}`);
  return meant ?? value;
};

/** Reads a state to filter by. An unknown one finds nothing, and section 6.5 has it refused. */
export const stateFilter: Reader = (value, reading) => {
  const read = state(value, reading);
  if (typeof read !== "string") return undefined;
  if (!isKnownState(read)) return reading.wrong(`must be one of ${TASK_STATES.slice(1).join(", ")}`);
  // The default of proto3 means the same as an absent value.
  return read === "TASK_STATE_UNSPECIFIED" ? undefined : read;
};

const ROLE_NUMBERS: readonly (Role | undefined)[] = [undefined, "ROLE_USER", "ROLE_AGENT"];

/** With `namesOnly`, as for requests, only names of 1.0 are accepted; agents' messages may have 0.3's names too. */
export function role({ namesOnly }: { namesOnly: boolean }): Reader {
  return (value, reading) => {
    if (value === "ROLE_USER" || value === "ROLE_AGENT") return value;
    const number = typeof value === "number" ? ROLE_NUMBERS[value] : undefined;
    const meant = typeof value === "string" && !namesOnly ? roleOfAnyName(value) : number;
    if (meant === undefined) return reading.wrong('must be "ROLE_USER" or "ROLE_AGENT"');
    reading.odd(`must be called ${meant}`);
    return meant;
  };
}
