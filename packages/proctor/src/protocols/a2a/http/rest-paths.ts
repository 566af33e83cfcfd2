// The paths of the HTTP+JSON binding, by version: specification 1.0, section 11.3 with the optional tenant of its .proto, and 0.3, section
// 3.5.6. A verb after a colon is a segment of its own here, so `{id}` is any text without a slash, colons included.
import type { A2aVersion } from "../service.ts";
import { createRouter, type Router } from "../../../runtime/http/router.ts";
import type { Performable } from "./perform.ts";

export interface RestEndpoint {
  method: "GET" | "POST" | "DELETE";
  path: string;
  operation: Performable;
  /** True when the request's parameters are its body; otherwise they are its query. */
  hasBody: boolean;
}

type Row = readonly [method: RestEndpoint["method"], path: string, operation: Performable];

const CONFIGS = "/tasks/{task}/pushNotificationConfigs";

const SHARED: readonly Row[] = [
  ["POST", "/message/:send", "send"],
  ["POST", "/message/:stream", "stream"],
  ["GET", "/tasks/{task}", "getTask"],
  ["POST", "/tasks/{task}/:cancel", "cancelTask"],
  // The text of 1.0 has POST, its .proto GET.
  ["GET", "/tasks/{task}/:subscribe", "subscribe"],
  ["POST", "/tasks/{task}/:subscribe", "subscribe"],
  ["POST", CONFIGS, "createPushConfig"],
  ["GET", CONFIGS, "listPushConfigs"],
  ["GET", `${CONFIGS}/{config}`, "getPushConfig"],
  ["DELETE", `${CONFIGS}/{config}`, "deletePushConfig"],
];

const ROWS: Readonly<Record<A2aVersion, readonly Row[]>> = {
  "1.0": [...SHARED, ["GET", "/tasks", "listTasks"], ["GET", "/extendedAgentCard", "extendedCard"]],
  "0.3": [...SHARED, ["GET", "/card", "extendedCard"]],
};

const BASES: Readonly<Record<A2aVersion, readonly string[]>> = { "1.0": ["", "/{tenant}"], "0.3": ["/v1"] };

/** Routers for paths below the service's own path, as `splitVerb` returns them. */
export const REST_ROUTERS: Readonly<Record<A2aVersion, Router<RestEndpoint>>> = {
  "1.0": routerOf("1.0", "see the specification of A2A 1.0, section 11.3"),
  "0.3": routerOf("0.3", "the paths of version 0.3 begin with /v1; see its specification, section 3.5.6"),
};

function routerOf(version: A2aVersion, hint: string): Router<RestEndpoint> {
  const endpoints = BASES[version].flatMap((base) =>
    ROWS[version].map(([method, path, operation]) => ({
      method,
      path: base + path,
      operation,
      hasBody: method === "POST",
    })),
  );
  return createRouter(endpoints, hint);
}

/** Splits `/tasks/a:cancel` into `/tasks/a/:cancel`. An escaped colon belongs to the id. */
export function splitVerb(path: string): string {
  return path.replace(/:(send|stream|cancel|subscribe)$/, "/:$1");
}

/** Returns the version that a path implies where the request names none: all paths of 0.3 are below `/v1`. */
export function versionOfPath(path: string): A2aVersion {
  return path === "/v1" || path.startsWith("/v1/") ? "0.3" : "1.0";
}
