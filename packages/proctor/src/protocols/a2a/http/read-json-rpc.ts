// The envelope of a JSON-RPC request: https://www.jsonrpc.org/specification, section 4, and the operation that its method stands for.
import { isJsonObject, type Json } from "../../../core/json.ts";
import { suggest } from "../../../core/suggest.ts";
import { A2aError } from "../errors.ts";
import { METHODS, operationOf } from "../methods.ts";
import type { A2aVersion } from "../service.ts";
import type { Performable } from "./perform.ts";
import { requireVersion } from "./read-version.ts";

export type JsonRpcId = string | number | null;

export interface JsonRpcRequest {
  /** Id of the request; undefined for a notification, which gets no answer. */
  id: JsonRpcId | undefined;
  method: string;
  /** Parameters; an empty object when the request has none. */
  params: Json;
}

/** Returns the id, as far as it can be read, for the answer to a request that is refused. */
export function idOf(body: Json): JsonRpcId | undefined {
  const id = isJsonObject(body) ? body["id"] : undefined;
  return isId(id) ? id : undefined;
}

/** Throws INVALID_REQUEST, or INVALID_PARAMS for parameters that are not an object. */
export function readJsonRpc(body: Json): JsonRpcRequest {
  if (Array.isArray(body)) throw wrong("batches are not served; send one request at a time");
  if (!isJsonObject(body)) throw wrong("a request is an object");
  const { jsonrpc, id, method, params = {} } = body;
  if (jsonrpc !== "2.0") throw wrong('jsonrpc must be "2.0"');
  if (id !== undefined && !isId(id)) throw wrong("id must be a text, a whole number or null");
  if (typeof method !== "string") throw wrong("method must be a text");
  if (!isJsonObject(params))
    throw new A2aError("INVALID_PARAMS", "params must be an object", {
      fields: [{ field: "params", description: "must be an object" }],
    });
  return { id, method, params };
}

/** Throws METHOD_NOT_FOUND or VERSION_NOT_SUPPORTED. `named` is the version that the request names. */
export function findMethod(
  method: string,
  named: A2aVersion | undefined,
  versions: readonly A2aVersion[],
): { operation: Performable; version: A2aVersion } {
  const found = operationOf(method);
  const wanted = named ?? found?.version ?? "0.3";
  if (found === undefined || found.operation === "card") throw unknownMethod(method, versions);
  requireVersion(wanted, versions);
  const { operation, version } = found;
  if (version !== wanted) {
    const here = METHODS[wanted][operation];
    const instead = here === undefined ? "" : `; there it is ${here}`;
    throw new A2aError(
      "METHOD_NOT_FOUND",
      `${method} is a method of version ${version}, and the request names version ${wanted}${instead}`,
    );
  }
  return { operation, version };
}

function unknownMethod(method: string, versions: readonly A2aVersion[]): A2aError {
  const known = versions.flatMap((version) => Object.values(METHODS[version]));
  const meant = suggest(method, known);
  const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
  return new A2aError("METHOD_NOT_FOUND", `there is no such method${hint}`);
}

function isId(id: Json | undefined): id is JsonRpcId {
  return id === null || typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id));
}

function wrong(message: string): A2aError {
  return new A2aError("INVALID_REQUEST", message);
}
