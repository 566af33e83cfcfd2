// Who sends and receives envelopes: `hub`, `user:<id>`, `capability:<name>`, or an agent by its name.
import { AGENT_NAME } from "../core/agent.ts";
import { denied, mayActAs, type Caller } from "../core/caller.ts";
import { HUB } from "../core/envelope.ts";
import { ProctorError } from "../core/errors.ts";

export type Party =
  | { kind: "hub" }
  | { kind: "user"; id: string }
  | { kind: "capability"; name: string }
  | { kind: "agent"; name: string };

/** Throws INVALID_REQUEST. */
export function parseParty(text: string, field: "from" | "to" | "for"): Party {
  if (text === HUB) return { kind: "hub" };
  const [, kind = "", name = ""] = /^(user|capability):(.+)$/s.exec(text) ?? [];
  if (kind === "user") return { kind, id: name };
  if (kind === "capability" && field === "to") return { kind, name };
  if (AGENT_NAME.test(text)) return { kind: "agent", name: text };
  const forms = `an agent's name, user:<id>${field === "to" ? ", capability:<name> or hub" : ""}`;
  throw new ProctorError("INVALID_REQUEST", `${field} names nobody\nexpected ${forms}`, {
    details: [{ path: field, message: `expected ${forms}` }],
  });
}

/** Returns the party that a caller speaks for, where it does not say. Throws INVALID_REQUEST where it may speak for many. */
export function partyOf({ binding, name }: Caller): string {
  if (binding === undefined) return `user:${name}`;
  if (binding.kind === "agent") return binding.name;
  if (binding.kind === "user") return `user:${binding.name}`;
  throw new ProctorError(
    "INVALID_REQUEST",
    `from is missing\nthis token is for all agents of "${binding.name}": say which one sends`,
  );
}

/** Throws FORBIDDEN unless the caller may send and receive as this party. No caller may as the hub. */
export function requireParty(caller: Caller, party: string, field: "from" | "for"): void {
  const { kind } = parseParty(party, field);
  if (kind !== "hub" && mayActAs(caller, party)) return;
  const why = kind === "hub" ? "nobody but the hub itself is the hub" : `this token is not for "${party}"`;
  const error = new ProctorError("FORBIDDEN", `${field}: ${why}`, { details: { [field]: party } });
  throw denied(caller, error);
}
