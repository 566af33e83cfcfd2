// The parameters of an operation from a request's path, query and body: specification 1.0, section 11.5.
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { didYouMean } from "../../../core/suggest.ts";
import { A2aError } from "../errors.ts";
import type { A2aVersion } from "../service.ts";
import type { Performable } from "./perform.ts";
import { VERSION_HEADER } from "./read-version.ts";

/** Query parameters of each operation, with the type that the text stands for. */
const QUERIES: Partial<Record<Performable, Readonly<Record<string, "text" | "number" | "boolean">>>> = {
  getTask: { historyLength: "number" },
  listTasks: {
    contextId: "text",
    status: "text",
    pageSize: "number",
    pageToken: "text",
    historyLength: "number",
    statusTimestampAfter: "text",
    includeArtifacts: "boolean",
  },
  listPushConfigs: { pageSize: "number", pageToken: "text" },
};

/** Query parameters that describe the request and are not parameters of the operation. */
const ASIDE: ReadonlySet<string> = new Set([VERSION_HEADER.toLowerCase(), "access_token"]);

/** Throws INVALID_PARAMS for a parameter that does not exist: a misspelt filter would return the wrong list. */
export function readQueryParams(url: string, operation: Performable): JsonObject {
  const known = new Map(Object.entries({ tenant: "text" as const, ...QUERIES[operation] }));
  // Without a prototype, so that a parameter named __proto__ is one more unknown parameter.
  const params: JsonObject = Object.create(null);
  for (const [written, text] of new URL(url).searchParams) {
    if (ASIDE.has(written.toLowerCase())) continue;
    // The names of the .proto are taken too, as ProtoJSON takes them.
    const name = written.replaceAll(/_([a-z])/g, (_whole, letter: string) => letter.toUpperCase());
    const type = known.get(name);
    if (type === undefined) {
      const hint = didYouMean(name, [...known.keys()], "there is no such parameter");
      throw wrong(name.slice(0, 100), hint);
    }
    params[name] = type === "text" ? text : valueOf(name, type, text);
  }
  return params;
}

function valueOf(name: string, type: "number" | "boolean", text: string): Json {
  if (type === "number" && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  throw wrong(name, type === "number" ? "must be a whole number" : "must be true or false");
}

export interface RestParts {
  /** Decoded values of the path. */
  path: Readonly<Record<string, string>>;
  /** Query parameters, or the body where the operation has one. */
  rest: Json;
}

/** Returns the parameters as the version's own JSON has them. Throws INVALID_PARAMS. */
export function paramsOf(version: A2aVersion, operation: Performable, { path, rest }: RestParts): JsonObject {
  if (!isJsonObject(rest)) throw wrong("", "the body must be a JSON object");
  const named = version === "1.0" ? names1_0(operation, path) : names0_3(operation, path);
  for (const [name, value] of Object.entries(named))
    if (rest[name] !== undefined && rest[name] !== value)
      throw wrong(name, `is ${JSON.stringify(value)} in the path, and something else in the request`);
  return { ...rest, ...named };
}

function names1_0(operation: Performable, { task, config, tenant }: RestParts["path"]): JsonObject {
  const ofPush = operation.includes("PushConfig");
  return {
    ...(tenant !== undefined && { tenant }),
    ...(task !== undefined && (ofPush ? { taskId: task } : { id: task })),
    ...(config !== undefined && { id: config }),
  };
}

function names0_3(operation: Performable, { task, config }: RestParts["path"]): JsonObject {
  return {
    ...(task !== undefined &&
      (operation === "createPushConfig" ? { parent: `tasks/${task}` } : { id: task })),
    ...(config !== undefined && { pushNotificationConfigId: config }),
  };
}

function wrong(field: string, description: string): A2aError {
  const where = field === "" ? "" : `${field}: `;
  return new A2aError("INVALID_PARAMS", `${where}${description}`, { fields: [{ field, description }] });
}
