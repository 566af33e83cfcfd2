// Who sends a request: what every endpoint knows of a caller once the authority has let it in.
import { ProctorError } from "./errors.ts";
import { grants, type Scope, type ScopeGrant } from "./scope.ts";

/** What a token is limited to. A folder holds the agents whose names begin with its name and a dot; a run's token is for that run alone. */
export type Binding =
  | { kind: "agent"; name: string }
  | { kind: "folder"; name: string }
  | { kind: "user"; name: string }
  | { kind: "run"; name: string };

export interface Caller {
  /** How the audit log names the caller: `operator`, `token:<id>`, `run:<id>`. */
  name: string;
  scopes: readonly ScopeGrant[];
  binding?: Binding;
  /** True where the token is good for one registration of an agent that does not exist yet. */
  enrols?: true;
  /** Called with every refusal that the caller's scopes or binding cause; absent where refusals are not counted. */
  onDenied?: (error: ProctorError) => void;
}

/** Returns the error to throw where the caller may not do something, and reports it to `onDenied`. */
export function denied(caller: Caller, error: ProctorError): ProctorError {
  caller.onDenied?.(error);
  return error;
}

/** The caller who starts the hub, or who uses one that needs no token. */
export const OPERATOR: Caller = { name: "operator", scopes: ["admin"] };

/** The caller without a token, at an endpoint that is open to everyone. */
export const NOBODY: Caller = { name: "nobody", scopes: [] };

export function may(caller: Caller, scope: Scope): boolean {
  return grants(caller.scopes, scope);
}

/** Throws SCOPE_MISSING. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (may(caller, scope)) return;
  const message = `this token has no scope "${scope}"\nask for one that has it: proctor token create --scope ${scope}`;
  throw denied(caller, new ProctorError("SCOPE_MISSING", message, { details: { scope } }));
}

/** Returns whether the caller may use, see and speak for the agent of this name. A user's token is limited in other ways. */
export function mayUseAgent({ binding }: Caller, name: string): boolean {
  if (binding === undefined || binding.kind === "user") return true;
  if (binding.kind === "run") return false;
  return binding.kind === "agent" ? name === binding.name : name.startsWith(`${binding.name}.`);
}

/** Returns whether the caller may see and use only some of the agents and their runs. */
export function isBound({ binding }: Caller): boolean {
  return binding !== undefined && binding.kind !== "user";
}

/** Throws FORBIDDEN for a bound caller, at an endpoint that reads or changes what belongs to any agent. */
export function requireUnbound(caller: Caller): void {
  if (!isBound(caller)) return;
  const { kind = "", name = "" } = caller.binding ?? {};
  const message = `this token is bound to the ${kind} "${name}", and this is for all agents\nask where the path names the agent, as in /a2a/{agent}`;
  throw denied(caller, new ProctorError("FORBIDDEN", message));
}

/** Throws FORBIDDEN where the caller may not use this agent. */
export function requireAgent(caller: Caller, name: string): void {
  if (mayUseAgent(caller, name)) return;
  const { kind = "", name: bound = "" } = caller.binding ?? {};
  const message = `this token is bound to the ${kind} "${bound}", and not for "${name}"`;
  throw denied(caller, new ProctorError("FORBIDDEN", message, { details: { agent: name } }));
}

/** Throws FORBIDDEN where a user's token asks for another user's data. */
export function requireUser(caller: Caller, user: string): void {
  const { binding } = caller;
  if (binding?.kind !== "user" || binding.name === user) return;
  const message = `this token is bound to the user "${binding.name}", and not for "${user}"`;
  throw denied(caller, new ProctorError("FORBIDDEN", message, { details: { user } }));
}

/** Returns whether the caller may send and receive envelopes as this party: an agent's name, or `user:<id>`. */
export function mayActAs(caller: Caller, party: string): boolean {
  if (may(caller, "admin")) return true;
  const { binding } = caller;
  if (binding?.kind === "user") return party === `user:${binding.name}`;
  if (binding !== undefined) return mayUseAgent(caller, party);
  return party === `user:${caller.name}`;
}
