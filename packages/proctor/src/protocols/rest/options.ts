// The options of an agent behind a JSON endpoint: how a request is written, and where things are in the answer.
import { z } from "zod";
import type { AgentSpec } from "../../core/agent.ts";
import { findByPath, parseJsonPath } from "../../core/json-path.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { addError, checkValue, type Finding } from "../../runtime/yaml/findings.ts";
import { json } from "../../runtime/yaml/scalars.ts";
import { mistypedPlaceholders, placeholdersIn } from "../placeholders.ts";

/** A place in a document. */
export interface PlaceInJson {
  /** The path as it was written. */
  name: string;
  /** Returns what is there: undefined for nothing or null, texts joined and other values as a list where the path leads to several. */
  find(document: Json): Json | undefined;
}

/** `data.reply`, `choices[0].message.content`, or a JSON path that begins with `$`. */
const place: z.ZodType<PlaceInJson> = z
  .string()
  .min(1)
  .transform((name, context): PlaceInJson => {
    try {
      return placeIn(name);
    } catch (error) {
      addError(context, error);
      return z.NEVER;
    }
  });

/** Throws an Error for a text that is not a path. */
export function placeIn(name: string): PlaceInJson {
  const path = parseJsonPath(name.startsWith("$") ? name : name.startsWith("[") ? `$${name}` : `$.${name}`);
  return { name, find: (document) => joined(findByPath(document, path)) };
}

function joined(found: readonly Json[]): Json | undefined {
  const values = found.filter((value) => value !== null);
  if (values.length <= 1) return values[0];
  return values.every((value) => typeof value === "string") ? values.join("") : values;
}

const scalar = z.union([z.string(), z.number(), z.boolean()]);

const restOptions = z
  .strictObject({
    method: z.enum(["POST", "GET", "PUT", "PATCH"]).default("POST"),
    body: json
      .refine(
        (body) => typeof body === "object" || placeholdersIn(body).size > 0,
        "a body is an object, a list, or one placeholder",
      )
      .optional(),
    query: z.record(z.string().min(1), scalar).optional(),
    answer: place.optional(),
    conversation_id: place.optional(),
    tokens: z
      .strictObject({
        input: place.optional(),
        output: place.optional(),
        total: place.optional(),
        cost: place.optional(),
      })
      .default({}),
    error: place.optional(),
    stream: z.enum(["sse", "lines"]).optional(),
    delta: place.optional(),
    done: z.string().min(1).max(1000).optional(),
  })
  .superRefine(({ method, body, stream, delta, done }, context) => {
    if (method === "GET" && body !== undefined) {
      addError(context, new Error(`a GET request has no body\nput what it asks into "query"`), ["body"]);
    }
    for (const [name, value] of Object.entries({ delta, done })) {
      if (value === undefined || stream !== undefined) continue;
      addError(context, new Error(`"${name}" is for streams\nset "stream" to "sse" or "lines"`), [name]);
    }
  });

export type RestOptions = z.infer<typeof restOptions>;

export function readRestOptions(
  options: JsonObject,
): { ok: true; value: RestOptions } | { ok: false; findings: Finding[] } {
  const checked = checkValue(restOptions, options, `"options"`);
  if (!checked.ok) return checked;
  const findings = ["body", "query"].flatMap((key) => mistypedPlaceholders(options[key], [key]));
  return findings.length === 0 ? checked : { ok: false, findings };
}

export function checkRestOptions(options: JsonObject): readonly Finding[] {
  const checked = readRestOptions(options);
  return checked.ok ? [] : checked.findings;
}

/** Returns whether every request contains the history: the endpoint keeps nothing itself. */
export function tellsHistory(spec: AgentSpec): boolean {
  const { method, body, query } = isJsonObject(spec.options) ? spec.options : {};
  if (keepsConversation(spec)) return false;
  if (body === undefined && method !== "GET") return true;
  return placeholdersIn([body ?? null, query ?? null]).has("history");
}

/** Returns whether the endpoint keeps the conversation by an id, and so takes one turn at a time. */
export function keepsConversation({ options }: AgentSpec): boolean {
  return isJsonObject(options) && options["conversation_id"] !== undefined;
}
