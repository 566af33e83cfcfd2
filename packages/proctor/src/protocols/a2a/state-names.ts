// The names of states and roles in 0.3, and what peers write instead of the names of their version.
import type { KnownTaskState, Role, TaskState } from "./model.ts";
import { TASK_STATES } from "./model.ts";

/** Names of states in specification 0.3, section 6.3. */
const LEGACY_STATES: Readonly<Record<string, KnownTaskState>> = {
  submitted: "TASK_STATE_SUBMITTED",
  working: "TASK_STATE_WORKING",
  "input-required": "TASK_STATE_INPUT_REQUIRED",
  completed: "TASK_STATE_COMPLETED",
  canceled: "TASK_STATE_CANCELED",
  failed: "TASK_STATE_FAILED",
  rejected: "TASK_STATE_REJECTED",
  "auth-required": "TASK_STATE_AUTH_REQUIRED",
  unknown: "TASK_STATE_UNSPECIFIED",
};
const BY_LEGACY_NAME = new Map(Object.entries(LEGACY_STATES));
const LEGACY_NAMES = new Map(Object.entries(LEGACY_STATES).map(([name, state]) => [state as string, name]));
const KNOWN: ReadonlySet<string> = new Set(TASK_STATES);

/** Other spellings; two Ls are in the .proto of 0.3, and in what many write. */
const SPELLINGS: ReadonlyMap<string, KnownTaskState> = new Map([
  ["cancelled", "TASK_STATE_CANCELED"],
  ["TASK_STATE_CANCELLED", "TASK_STATE_CANCELED"],
]);

export function isKnownState(state: string): boolean {
  return KNOWN.has(state);
}

/** Returns the state that a name of 0.3 stands for. */
export function stateOfLegacyName(name: string): KnownTaskState | undefined {
  return BY_LEGACY_NAME.get(name);
}

export function legacyNameOfState(state: TaskState): string | undefined {
  return LEGACY_NAMES.get(state);
}

/** Returns the state that a name of the other version, or a misspelt one, stands for. */
export function stateOfOtherName(name: string): KnownTaskState | undefined {
  return SPELLINGS.get(name) ?? BY_LEGACY_NAME.get(name) ?? TASK_STATES.find((state) => state === name);
}

export const LEGACY_ROLES: Readonly<Record<Role, string>> = { ROLE_USER: "user", ROLE_AGENT: "agent" };

/** Returns the role that is meant by a name of either version. */
export function roleOfAnyName(name: string): Role | undefined {
  if (name === "ROLE_USER" || name === "user") return "ROLE_USER";
  return name === "ROLE_AGENT" || name === "agent" ? "ROLE_AGENT" : undefined;
}
