// Where each operation is in HTTP+JSON, by version: A2A 1.0, section 11.3; 0.3, section 3.5.6. Pure.
import type { Json, JsonObject } from "../../../core/json.ts";
import type { ResultOperation } from "../codec.ts";
import { A2aError } from "../errors.ts";
import type { A2aVersion } from "../service.ts";
import type { StreamOperation } from "./wire-service.ts";

export interface Place {
  method: "GET" | "POST" | "DELETE";
  path: string;
  /** The path for messages, without ids. */
  name: string;
  /** Names of the parameters that are in the path. */
  used: readonly string[];
}

interface Ids {
  task: Json | undefined;
  config?: Json | undefined;
  used: readonly string[];
}

const MAX_ID_CHARS = 1024;
const CONFIGS = "pushNotificationConfigs";

export function placeOf(
  version: A2aVersion,
  operation: ResultOperation | StreamOperation,
  params: JsonObject,
): Place {
  const root = version === "1.0" ? "" : "/v1";
  const { task, config, used } = version === "1.0" ? ids1_0(operation, params) : ids0_3(operation, params);
  const plain = (method: Place["method"], path: string): Place => ({
    method,
    path: root + path,
    name: root + path,
    used: [],
  });
  const ofTask = (method: Place["method"], rest: string, last = ""): Place => ({
    method,
    path: `${root}/tasks/${idSegment(task, "id")}${rest}${last}`,
    name: `${root}/tasks/{id}${rest}${last === "" ? "" : "/{id}"}`,
    used,
  });
  switch (operation) {
    case "send":
      return plain("POST", "/message:send");
    case "stream":
      return plain("POST", "/message:stream");
    case "listTasks":
      return plain("GET", "/tasks");
    case "extendedCard":
      return plain("GET", version === "1.0" ? "/extendedAgentCard" : "/card");
    case "getTask":
      return ofTask("GET", "");
    case "cancelTask":
      return ofTask("POST", ":cancel");
    case "subscribe":
      return ofTask("POST", ":subscribe");
    case "createPushConfig":
      return ofTask("POST", `/${CONFIGS}`);
    case "listPushConfigs":
      return ofTask("GET", `/${CONFIGS}`);
    case "getPushConfig":
      return ofTask("GET", `/${CONFIGS}`, `/${idSegment(config, "id")}`);
    case "deletePushConfig":
      return ofTask("DELETE", `/${CONFIGS}`, `/${idSegment(config, "id")}`);
    case "card":
      throw new A2aError("UNSUPPORTED_OPERATION", "the public card is found by its address");
  }
}

function ids1_0(operation: string, { id, taskId }: JsonObject): Ids {
  if (!operation.endsWith("PushConfig") && !operation.endsWith("PushConfigs"))
    return { task: id, used: ["id"] };
  // A configuration that is created has its own id in the body.
  const used = operation === "createPushConfig" ? ["taskId"] : ["taskId", "id"];
  return { task: taskId, config: id, used };
}

/** A configuration that is created names its task as the .proto does: `tasks/{id}/pushNotificationConfigs/{id}`. */
function ids0_3(operation: string, { id, pushNotificationConfigId, name }: JsonObject): Ids {
  if (operation === "createPushConfig") {
    return { task: typeof name === "string" ? /^tasks\/([^/]+)/.exec(name)?.[1] : undefined, used: [] };
  }
  return { task: id, config: pushNotificationConfigId, used: ["id", "pushNotificationConfigId"] };
}

/** Returns an id as one segment of a path. URLs drop `.` and `..`, encoded or not, so that these would lead elsewhere. */
export function idSegment(value: Json | undefined, name: string): string {
  const isUsable =
    typeof value === "string" &&
    value !== "" &&
    value.length <= MAX_ID_CHARS &&
    value.isWellFormed() &&
    !/^\.{1,2}$/.test(value);
  if (!isUsable) throw new A2aError("INVALID_PARAMS", `${name} cannot be part of a path`);
  return encodeURIComponent(value);
}
