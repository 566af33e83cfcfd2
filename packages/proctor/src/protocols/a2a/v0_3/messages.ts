// Messages, tasks and the events of streams, from 0.3 to the model and back.
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { legacyOf, withLegacy } from "../legacy.ts";
import { LEGACY_ROLES, legacyNameOfState, roleOfAnyName, stateOfOtherName } from "../state-names.ts";
import { isTerminalState } from "../states.ts";
import { each, only, translateFields, type Translation } from "../translating.ts";
import { withKind, withoutKind } from "./kinds.ts";
import { partDown, partUp } from "./parts.ts";

export const stateUp = (state: Json): Json =>
  typeof state === "string" ? (stateOfOtherName(state) ?? state) : state;

export function stateDown(state: Json, translation: Translation): Json {
  const name = typeof state === "string" ? legacyNameOfState(state) : undefined;
  if (name !== undefined || typeof state !== "string") return name ?? state;
  if (state.startsWith("TASK_STATE_"))
    translation.lose("is a state that A2A 0.3 does not have, and stays as it is");
  return state;
}

const roleUp = (role: Json): Json => (typeof role === "string" ? (roleOfAnyName(role) ?? role) : role);
const roleDown = (role: Json): Json =>
  role === "ROLE_USER" || role === "ROLE_AGENT" ? LEGACY_ROLES[role] : role;

const partsUp = { parts: each(partUp) };
const partsDown = { parts: each(partDown) };

export function messageUp(message: JsonObject, translation: Translation): JsonObject {
  return translateFields(withoutKind(message), { role: roleUp, ...partsUp }, translation);
}

export function messageDown(message: JsonObject, translation: Translation): JsonObject {
  const down = translateFields(message, { role: roleDown, ...partsDown }, translation);
  return withKind("message", down, translation);
}

const artifactUp = only((artifact, translation) => translateFields(artifact, partsUp, translation));
const artifactDown = only((artifact, translation) => translateFields(artifact, partsDown, translation));

const statusUp = only((status, translation) =>
  translateFields(status, { state: stateUp, message: only(messageUp) }, translation),
);
const statusDown = only((status, translation) =>
  translateFields(status, { state: stateDown, message: only(messageDown) }, translation),
);

export function taskUp(task: JsonObject, translation: Translation): JsonObject {
  const fields = { status: statusUp, artifacts: each(artifactUp), history: each(messageUp) };
  const { contextId, ...rest } = withoutKind(task);
  const none = contextId === "";
  const up = translateFields(none ? rest : { ...rest, contextId }, fields, translation);
  return withLegacy(up, { form: none ? { contextId } : {} });
}

/** Writes `contextId`, which is mandatory in 0.3, as an empty text where there is none; some peers refuse that. */
export function taskDown(task: JsonObject, translation: Translation): JsonObject {
  const fields = { status: statusDown, artifacts: each(artifactDown), history: each(messageDown) };
  if (task["contextId"] === undefined && legacyOf(task).form?.["contextId"] !== "") {
    translation.lose("is missing, which A2A 0.3 has no way to say, and is written empty", "contextId");
  }
  return withKind("task", { contextId: "", ...translateFields(task, fields, translation) }, translation);
}

export function artifactUpdateUp(update: JsonObject, translation: Translation): JsonObject {
  return translateFields(withoutKind(update), { artifact: artifactUp }, translation);
}

export function artifactUpdateDown(update: JsonObject, translation: Translation): JsonObject {
  return withKind(
    "artifact-update",
    translateFields(update, { artifact: artifactDown }, translation),
    translation,
  );
}

/** Keeps `final` where it contradicts the state. */
export function statusUpdateUp(update: JsonObject, translation: Translation): JsonObject {
  const { final, ...rest } = withoutKind(update);
  const up = translateFields(rest, { status: statusUp }, translation);
  const says = typeof final === "boolean" && final !== isFinal(up);
  return withLegacy(up, { fields: says ? { final } : {} });
}

export function statusUpdateDown(update: JsonObject, translation: Translation): JsonObject {
  const { final: other, ...rest } = update;
  if (other !== undefined) translation.lose("has another meaning in A2A 0.3, and is left out", "final");
  const final = legacyOf(update).fields?.["final"] ?? isFinal(update);
  const down = { ...translateFields(rest, { status: statusDown }, translation), final };
  return withKind("status-update", down, translation);
}

/**
 * Returns whether the stream ends here, as agents of 0.3 end it: with the task, or where the client has to say something. A task that waits for
 * credentials goes on by itself once it has them.
 */
function isFinal({ status }: JsonObject): boolean {
  const state = isJsonObject(status) ? status["state"] : undefined;
  return typeof state === "string" && (isTerminalState(state) || state === "TASK_STATE_INPUT_REQUIRED");
}
