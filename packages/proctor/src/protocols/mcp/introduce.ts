// How a client says who it is: once, when a session begins, or with every request in the revision that has no sessions. Pure.
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { REVISIONS, STATELESS } from "./wire.ts";

const CLIENT = { name: "proctor", version: "1.0.0" };
const PREFIX = "io.modelcontextprotocol/";

/** Parameters of `initialize`. */
export const INTRODUCTION: JsonObject = {
  protocolVersion: REVISIONS[0],
  capabilities: {},
  clientInfo: CLIENT,
};

export function statelessParams(params: Json | undefined): JsonObject {
  const given = isJsonObject(params) ? params : {};
  return {
    ...given,
    _meta: {
      ...(isJsonObject(given["_meta"]) && given["_meta"]),
      [`${PREFIX}protocolVersion`]: STATELESS,
      [`${PREFIX}clientCapabilities`]: {},
      [`${PREFIX}clientInfo`]: CLIENT,
    },
  };
}

/** Returns headers with the method and the tool, for proxies that route requests without reading them. */
export function statelessHeaders(method: Json | undefined, params: Json | undefined): Record<string, string> {
  const name = isJsonObject(params) ? params["name"] : undefined;
  return {
    ...(typeof method === "string" && { "mcp-method": method }),
    ...(typeof name === "string" && { "mcp-name": headerText(name) }),
  };
}

/** Encodes texts that no header can carry in base64, marked as such. */
function headerText(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}
