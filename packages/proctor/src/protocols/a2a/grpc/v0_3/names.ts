// States and roles of 0.3 by their names in JSON and in the .proto; what has no name in the other form is kept.
import type { Json } from "../../../../core/json.ts";

const STATES: readonly (readonly [json: string, proto: string])[] = [
  ["submitted", "TASK_STATE_SUBMITTED"],
  ["working", "TASK_STATE_WORKING"],
  ["completed", "TASK_STATE_COMPLETED"],
  ["failed", "TASK_STATE_FAILED"],
  // With two L only here; the other spelling is taken too.
  ["canceled", "TASK_STATE_CANCELED"],
  ["canceled", "TASK_STATE_CANCELLED"],
  ["input-required", "TASK_STATE_INPUT_REQUIRED"],
  ["rejected", "TASK_STATE_REJECTED"],
  ["auth-required", "TASK_STATE_AUTH_REQUIRED"],
  ["unknown", "TASK_STATE_UNSPECIFIED"],
];
const ROLES = [
  ["user", "ROLE_USER"],
  ["agent", "ROLE_AGENT"],
] as const;

const JSON_STATES = new Map<Json, string>(STATES.map(([json, proto]) => [proto, json]));
const PROTO_STATES = new Map<Json, string>(STATES);
const JSON_ROLES = new Map<Json, string>(ROLES.map(([json, proto]) => [proto, json]));
const PROTO_ROLES = new Map<Json, string>(ROLES);
const ANY_PROTO_NAME = new Set<Json>([...JSON_STATES.keys()]);

export const jsonState = (state: Json): Json => JSON_STATES.get(state) ?? state;
export const jsonRole = (role: Json): Json => JSON_ROLES.get(role) ?? role;
export const protoRole = (role: Json): Json => PROTO_ROLES.get(role) ?? role;

/** Undefined for a state that 0.3 does not have. A number that no version has a name for stays one. */
export function protoState(state: Json): Json | undefined {
  const name = PROTO_STATES.get(state);
  if (name !== undefined || ANY_PROTO_NAME.has(state)) return name ?? state;
  return typeof state === "string" && /^-?\d{1,9}$/.test(state) ? Number(state) : undefined;
}
