// What a token may do, as words. Every endpoint requires one of them; access/ decides who has which.

export const SCOPES = {
  "runs:read": "read runs, what they say and what they made",
  "runs:write": "start, steer, answer and remove runs of registered agents",
  "agents:read": "list, search and watch agents",
  "agents:register": "register agents that are reached by a URL or an inbox, and send their heartbeats",
  "agents:write": "change, drain, stop and remove any agent",
  programs: "name programs: agents by command line or address, tools and environments of a run, script tools",
  "messages:send": "send envelopes",
  "messages:receive": "receive and acknowledge envelopes",
  "goals:read": "read goals and their plans",
  "goals:write": "start, steer and remove goals",
  workers: "carry out runs for the hub",
  admin: "everything, tokens and the audit log included",
} as const;

export type Scope = keyof typeof SCOPES;

/** A scope, or all scopes of one subject: `runs:*`. */
export type ScopeGrant = Scope | `${string}:*`;

export function isScopeGrant(text: string): text is ScopeGrant {
  if (text in SCOPES) return true;
  return text.endsWith(":*") && Object.keys(SCOPES).some((scope) => scope.startsWith(text.slice(0, -1)));
}

export function grants(granted: readonly ScopeGrant[], needed: Scope): boolean {
  const subject = `${needed.split(":", 1)[0] ?? ""}:*`;
  return granted.some((grant) => grant === needed || grant === "admin" || grant === subject);
}
