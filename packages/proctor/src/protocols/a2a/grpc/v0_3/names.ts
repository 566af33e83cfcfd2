// States and roles of 0.3: their names in JSON and in the .proto. What has no name in the other form is kept.
import type { Json } from "../../../../core/json.ts";
import { LEGACY_ROLES, legacyNameOfState, roleOfAnyName, stateOfOtherName } from "../../state-names.ts";
import type { Translation } from "../../translating.ts";

export function jsonState(state: Json): Json {
  const known = typeof state === "string" ? stateOfOtherName(state) : undefined;
  return (known && legacyNameOfState(known)) ?? state;
}

/** A number that no version has a name for stays one; other states that 0.3 does not have would make a message unreadable. */
export function protoState(state: Json, translation: Translation): Json {
  const known = typeof state === "string" ? stateOfOtherName(state) : undefined;
  // With two L in the .proto of 0.3, and nowhere else.
  if (known !== undefined) return known === "TASK_STATE_CANCELED" ? "TASK_STATE_CANCELLED" : known;
  if (typeof state === "string" && /^-?\d{1,9}$/.test(state)) return Number(state);
  translation.lose("is a state that A2A 0.3 does not have, and became TASK_STATE_UNSPECIFIED");
  return "TASK_STATE_UNSPECIFIED";
}

export function jsonRole(role: Json): Json {
  const known = typeof role === "string" ? roleOfAnyName(role) : undefined;
  return known ? LEGACY_ROLES[known] : role;
}

export function protoRole(role: Json): Json {
  return (typeof role === "string" ? roleOfAnyName(role) : undefined) ?? role;
}
