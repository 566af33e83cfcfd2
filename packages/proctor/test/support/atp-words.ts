// What an ATP agent says, well formed unless the test says otherwise.
import type { JsonObject } from "../../src/core/json.ts";
import type { PuppetTask } from "./protocols/puppet.ts";

export function atpEventOf(
  { request }: Pick<PuppetTask, "request">,
  sequence: number,
  event_type: string,
  payload: JsonObject = {},
): JsonObject {
  return {
    version: "1.0",
    task_id: request["task_id"] ?? "",
    timestamp: new Date().toISOString(),
    sequence,
    event_type,
    payload,
  };
}

export function atpResponseOf({ request }: Pick<PuppetTask, "request">, fields: JsonObject = {}): JsonObject {
  return {
    version: "1.0",
    task_id: request["task_id"] ?? "",
    status: "completed",
    artifacts: [],
    metrics: { total_steps: 1 },
    ...fields,
  };
}
