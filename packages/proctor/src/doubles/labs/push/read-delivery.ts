// What a delivery tells of: a task, message or update of A2A (1.0: `StreamResponse`, specification section 4.3.3; 0.3: `Task`, section 9.5), or an
// event of a webhook of Proctor.
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { PushDelivery, PushKind } from "../../../core/push-script.ts";

/** The content of a delivery's body; fields that the body does not have are absent. */
export type Told = Pick<PushDelivery, "kind" | "version" | "task_id" | "state" | "event_id" | "sequence"> & {
  /** Time at which the state was reached, in epoch milliseconds. */
  atMs?: number;
};

const FORMS_1_0: Readonly<Record<string, PushKind>> = {
  task: "task",
  message: "message",
  statusUpdate: "status_update",
  artifactUpdate: "artifact_update",
};
const KINDS_0_3: Readonly<Record<string, PushKind>> = {
  task: "task",
  message: "message",
  "status-update": "status_update",
  "artifact-update": "artifact_update",
};

export function readDelivery(body: Json, headers: Headers): Told {
  if (!isJsonObject(body)) return { kind: "unknown" };
  const eventId = headers.get("x-proctor-delivery") ?? textOf(body["id"]);
  if (typeof body["type"] === "string" && typeof body["seq"] === "number") {
    return {
      kind: "webhook",
      sequence: body["seq"],
      ...(eventId !== undefined && { event_id: eventId }),
      ...textMember(body, "task_id"),
    };
  }
  const form = Object.keys(FORMS_1_0).find((name) => isJsonObject(body[name]));
  const inner = form === undefined ? undefined : body[form];
  if (form !== undefined && isJsonObject(inner)) {
    return { kind: FORMS_1_0[form] ?? "unknown", version: "1.0", ...factsOf(inner, form === "task") };
  }
  const kind = KINDS_0_3[String(textOf(body["kind"]))];
  if (kind !== undefined) return { kind, version: "0.3", ...factsOf(body, kind === "task") };
  return { kind: "unknown" };
}

function factsOf(value: JsonObject, isTask: boolean): Pick<Told, "task_id" | "state" | "atMs"> {
  const taskId = textOf(value[isTask ? "id" : "taskId"]);
  const status = isJsonObject(value["status"]) ? value["status"] : {};
  const state = textOf(status["state"]);
  const at = Date.parse(textOf(status["timestamp"]) ?? "");
  return {
    ...(taskId !== undefined && { task_id: taskId }),
    ...(state !== undefined && { state: plain(state) }),
    ...(!Number.isNaN(at) && { atMs: at }),
  };
}

/** Returns one name for a state: `TASK_STATE_INPUT_REQUIRED` and `input-required` are the same. */
function plain(state: string): string {
  return state
    .replace(/^TASK_STATE_/, "")
    .toLowerCase()
    .replaceAll("_", "-");
}

function textMember(value: JsonObject, name: "task_id"): Pick<Told, "task_id"> {
  const text = textOf(value[name]);
  return text === undefined ? {} : { [name]: text };
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
