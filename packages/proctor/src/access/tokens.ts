// Tokens as people manage them: create, list, rotate, revoke. No caller gives more than it has.
import { may, OPERATOR, type Binding, type Caller } from "../core/caller.ts";
import { ProctorError } from "../core/errors.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { StoredToken, TokenStore } from "../core/ports/token-store.ts";
import type { Tokens } from "../core/ports/tokens.ts";
import { isScopeGrant, SCOPES, type Scope, type ScopeGrant } from "../core/scope.ts";
import type { NewToken, Token } from "../core/token.ts";
import type { AuditLog } from "./audit-log.ts";
import { callerName, type KnownTokens } from "./known-tokens.ts";
import { digestOf, mintToken } from "./token-text.ts";

interface TokensDeps {
  store: TokenStore;
  known: KnownTokens;
  audit: AuditLog;
  clock: Pick<Clock, "now">;
  closed: () => boolean;
  /** Called when a token has closed the hub. */
  onClosed: () => void;
}

const DAY_SECONDS = 24 * 60 * 60;
const DEFAULT_EXPIRY_SECONDS = 90 * DAY_SECONDS;
const DEFAULT_OVERLAP_SECONDS = DAY_SECONDS;
/** Longest expiry in seconds, ten years: a longer one means never, and must say so. */
const MAX_EXPIRY_SECONDS = 3650 * DAY_SECONDS;

export function createTokens({ store, known, audit, clock, closed, onClosed }: TokensDeps): Tokens {
  async function existing(id: string): Promise<StoredToken> {
    const stored = await store.read(id);
    if (stored === undefined) throw notFound(id);
    return stored;
  }

  function note(action: string, { id, name, kind, scopes, binding }: Token, caller: Caller): void {
    const details = { name, kind, scopes, binding: binding && { ...binding } };
    audit.note({ actor: caller.name, action, subject: callerName(id), details });
  }

  return {
    async create(wanted, caller = OPERATOR) {
      const checked = check(wanted);
      requireWithin(caller, checked.scopes, checked.binding ?? null);
      const kind = checked.kind ?? "api";
      const { id, text } = mintToken(kind);
      const now = clock.now();
      const seconds =
        checked.expires_in_seconds === undefined ? DEFAULT_EXPIRY_SECONDS : checked.expires_in_seconds;
      const token: Token = {
        id,
        kind,
        name: checked.name,
        scopes: checked.scopes,
        binding: checked.binding ?? null,
        rate: checked.rate ?? null,
        created_at: new Date(now).toISOString(),
        created_by: caller.name,
        expires_at: seconds === null ? null : new Date(now + seconds * 1000).toISOString(),
        revoked_at: null,
        last_used_at: null,
        previous_until: null,
        used_by: null,
      };
      await store.add({ token, digest: digestOf(text), previousDigest: null });
      const closes = kind !== "agent" && !closed();
      if (closes) onClosed();
      note("token.created", token, caller);
      return { token, secret: text, ...(closes && { closed_hub: true }) };
    },
    list: (page) => store.list(page),
    get: async (id) => (await existing(id)).token,
    async rotate(id, overlapSeconds = DEFAULT_OVERLAP_SECONDS, caller = OPERATOR) {
      const { token } = await existing(id);
      requireWithin(caller, token.scopes, token.binding);
      if (token.used_by !== null) throw over(id, "was used");
      const { text } = mintToken(token.kind, id);
      const stored = await store.rotate(id, digestOf(text), clock.now() + overlapSeconds * 1000);
      if (stored === undefined) throw over(id, "is revoked");
      known.changed(stored);
      note("token.rotated", stored.token, caller);
      return { token: stored.token, secret: text };
    },
    async revoke(id, caller = OPERATOR) {
      const before = await existing(id);
      requireWithin(caller, before.token.scopes, before.token.binding);
      const stored = (await store.revoke(id, clock.now())) ?? before;
      known.changed(stored);
      if (before.token.revoked_at === null) note("token.revoked", stored.token, caller);
      return stored.token;
    },
    async audit(query) {
      await audit.written();
      return store.audit(query);
    },
  };
}

/** Checks a new token. Throws INVALID_REQUEST. */
function check(wanted: NewToken): NewToken {
  const { kind = "api", binding, expires_in_seconds: seconds, rate, name } = wanted;
  const scopes: ScopeGrant[] = kind === "enrol" ? ["agents:register"] : [...new Set(wanted.scopes)];
  if (name.trim() === "" || name.length > 200) throw invalid("name", "1 to 200 characters");
  if (scopes.length === 0) throw invalid("scopes", "a token needs at least one scope");
  // A caller without a schema may send anything.
  const unknown = scopes.find((scope: string) => !isScopeGrant(scope)) as string | undefined;
  if (unknown !== undefined)
    throw invalid("scopes", `there is no scope "${unknown}": ${Object.keys(SCOPES).join(", ")}`);
  if (binding && scopes.includes("admin")) throw invalid("binding", "a token for everything cannot be bound");
  if (binding && !BINDING_NAME.test(binding.name)) throw invalid("binding", `"${binding.name}" is no name`);
  if (binding?.kind === "run") throw invalid("binding", "the hub itself makes the tokens of runs");
  if (binding?.kind === "user" && kind === "enrol")
    throw invalid("binding", "agents are enrolled, not users");
  if (seconds != null && (!(seconds > 0) || seconds > MAX_EXPIRY_SECONDS))
    throw invalid("expires_in_seconds", `more than 0 and at most ${MAX_EXPIRY_SECONDS}, or null for never`);
  if (rate && !(rate.per_second > 0 && rate.burst >= 1))
    throw invalid("rate", "per_second is more than 0, and burst at least 1");
  return { ...wanted, kind, scopes };
}

const BINDING_NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,127}$/;

/** Throws FORBIDDEN unless the caller has all of these scopes, and a binding that holds this one. */
function requireWithin(caller: Caller, scopes: readonly ScopeGrant[], binding: Binding | null): void {
  if (may(caller, "admin")) return;
  const missing = expand(scopes).find((scope) => !may(caller, scope));
  if (missing !== undefined) throw beyond(`it has no scope "${missing}" itself`);
  if (binding === null) throw beyond("only one with the scope admin makes tokens that are bound to nothing");
  const own = caller.binding;
  if (own !== undefined && !isWithin(binding, own))
    throw beyond(`it is bound to the ${own.kind} "${own.name}"`);
}

function isWithin(inner: Binding, outer: Binding): boolean {
  if (inner.kind === outer.kind && inner.name === outer.name) return true;
  if (outer.kind !== "folder" || (inner.kind !== "agent" && inner.kind !== "folder")) return false;
  return inner.name.startsWith(`${outer.name}.`);
}

function expand(granted: readonly ScopeGrant[]): Scope[] {
  // The keys of SCOPES are the scopes.
  const all = Object.keys(SCOPES) as Scope[];
  return granted.flatMap((grant) =>
    all.filter((scope) => scope === grant || `${scope.split(":")[0]}:*` === grant),
  );
}

function beyond(why: string): ProctorError {
  return new ProctorError("FORBIDDEN", `this caller cannot give, change or revoke such a token: ${why}`);
}

function invalid(field: string, message: string): ProctorError {
  return new ProctorError("INVALID_REQUEST", `${field}: ${message}`, { details: [{ path: field, message }] });
}

function notFound(id: string): ProctorError {
  return new ProctorError("TOKEN_NOT_FOUND", `there is no token ${id}\nsee: proctor token list`);
}

function over(id: string, what: string): ProctorError {
  return new ProctorError(
    "ILLEGAL_TRANSITION",
    `token ${id} ${what} and cannot be rotated\ncreate another one`,
  );
}
