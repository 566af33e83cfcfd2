// The one authority that all endpoints ask: from the text of a token to a caller, or a refusal.
import { timingSafeEqual } from "node:crypto";
import type { Caller } from "../core/caller.ts";
import { ProctorError } from "../core/errors.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { TokenStore } from "../core/ports/token-store.ts";
import type { Authority, Tokens } from "../core/ports/tokens.ts";
import type { AuditLog } from "./audit-log.ts";
import { tokenIdOfCaller, type KnownToken, type KnownTokens } from "./known-tokens.ts";
import type { Refusals } from "./refusals.ts";
import type { RunTokens } from "./run-tokens.ts";
import { digestOf, RUN_PREFIX, tokenIdOf } from "./token-text.ts";

interface AuthorityDeps {
  store: Pick<TokenStore, "use" | "read" | "ofAgent">;
  tokens: Pick<Tokens, "revoke">;
  known: KnownTokens;
  runs: RunTokens;
  audit: AuditLog;
  refusals: Refusals;
  clock: Clock;
  closed: () => boolean;
  /** Notes that a token was used in this minute (epoch milliseconds). */
  onUse: (id: string, minute: number) => void;
}

const MINUTE_MS = 60_000;
const NOT_VALID = "the token is not valid for this hub";

export function createAuthority(deps: AuthorityDeps): Authority {
  const { store, tokens, known, runs, audit, refusals, clock, closed, onUse } = deps;

  /** Admits a known token. Throws UNAUTHORIZED or RATE_LIMITED. */
  function admit(found: KnownToken, text: string, address: string | undefined): Caller {
    const now = clock.now();
    const { token } = found;
    if (!holds(found, text, now)) throw refusals.refuse(address, NOT_VALID);
    // A caller that knows the secret may know what became of the token.
    if (token.revoked_at !== null)
      throw refusals.refuse(address, `this token was revoked at ${token.revoked_at}`);
    if (token.used_by !== null) throw refusals.refuse(address, "this enrolment token was used before");
    if (found.expiresAt <= now) throw refusals.refuse(address, `this token expired at ${token.expires_at}`);
    const seconds = found.bucket?.take(now) ?? 0;
    if (seconds > 0) throw tooOften(Math.ceil(seconds));
    const minute = now - (now % MINUTE_MS);
    if (found.usedAt < minute) {
      found.usedAt = minute;
      onUse(token.id, minute);
    }
    return found.caller;
  }

  async function admitUnknown(id: string, text: string, address: string | undefined): Promise<Caller> {
    const found = await known.load(id);
    if (found === undefined) throw refusals.refuse(address, NOT_VALID);
    return admit(found, text, address);
  }

  async function admitRun(text: string, address: string | undefined): Promise<Caller> {
    const caller = await runs.identify(text);
    if (caller === undefined) throw refusals.refuse(address, NOT_VALID);
    return caller;
  }

  return {
    closed,
    identify(text, address) {
      if (text.startsWith(RUN_PREFIX)) return admitRun(text, address);
      const id = tokenIdOf(text);
      if (id === undefined) throw refusals.refuse(address, NOT_VALID);
      const found = known.get(id);
      return found === undefined ? admitUnknown(id, text, address) : admit(found, text, address);
    },
    async enrol(caller, agent) {
      const id = tokenIdOfCaller(caller);
      const stored = id === undefined ? undefined : await store.read(id);
      // A caller that registers with another token needs no enrolment.
      if (id === undefined || stored?.token.kind !== "enrol") return;
      const used = await store.use(id, agent, clock.now());
      const after = await store.read(id);
      if (after) known.changed(after);
      if (!used) throw new ProctorError("UNAUTHORIZED", "this enrolment token was used before, or is over");
      audit.note({
        actor: caller.name,
        action: "agent.enrolled",
        subject: `agent:${agent}`,
        details: { token: id },
      });
    },
    async retire(agent, caller) {
      for (const id of await store.ofAgent(agent)) await tokens.revoke(id, caller);
    },
    issueForRun: (runId, agent, expiresAtMs) => runs.issue(runId, agent, expiresAtMs),
    ended: (caller) => known.endOf(caller),
    note: (entry) => audit.note(entry),
  };
}

/** Returns whether the text is the token's. Both digests are compared whole, so that the time taken reveals nothing about them. */
function holds({ digest, previous }: KnownToken, text: string, now: number): boolean {
  const given = Buffer.from(digestOf(text), "latin1");
  const isNow = timingSafeEqual(digest, given);
  return isNow || (previous !== undefined && timingSafeEqual(previous.digest, given) && now < previous.until);
}

function tooOften(seconds: number): ProctorError {
  return new ProctorError("RATE_LIMITED", `this token is used too often\ntry again in ${seconds} s`, {
    details: { retry_after_seconds: seconds },
  });
}
