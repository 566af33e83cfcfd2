// The tokens that were used last, in memory, ready to be compared: a check must not cost a look at the database.
import { setMaxListeners } from "node:events";
import type { Caller } from "../core/caller.ts";
import { createOldestKey } from "../core/oldest-key.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { StoredToken, TokenStore } from "../core/ports/token-store.ts";
import type { Token } from "../core/token.ts";
import { createTokenBucket, type TokenBucket } from "./token-bucket.ts";

export interface KnownToken {
  token: Token;
  digest: Buffer;
  previous: { digest: Buffer; until: number } | undefined;
  expiresAt: number;
  caller: Caller;
  bucket: TokenBucket | undefined;
  /** The minute, in epoch milliseconds, of the last use that was noted. */
  usedAt: number;
  /** Aborts when the token is revoked or has expired; made at the first request for its signal. */
  ending: AbortController | undefined;
}

export interface KnownTokens {
  get(id: string): KnownToken | undefined;
  /** Resolves with undefined where there is no such token. */
  load(id: string): Promise<KnownToken | undefined>;
  /** Takes what is stored now; open streams end where the token has. */
  changed(stored: StoredToken): void;
  /** Aborts when the token is revoked or expires. Undefined for a caller that has none. */
  endOf(caller: Caller): AbortSignal | undefined;
  close(): void;
}

const MAX_KNOWN = 10_000;
/** Longest delay of a timer, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Creates the memory of tokens; `watched` reports what a caller is refused. */
export function createKnownTokens(
  store: Pick<TokenStore, "read">,
  clock: Clock,
  watched: (caller: Caller) => Caller,
): KnownTokens {
  const entries = new Map<string, KnownToken>();
  const oldest = createOldestKey(entries);
  /** Entries that streams wait for, by their caller; they stay when the map forgets them. */
  const waited = new Map<string, { known: KnownToken; cancel: () => void }>();

  function keep(known: KnownToken): KnownToken {
    const { id } = known.token;
    entries.delete(id);
    const first = entries.size >= MAX_KNOWN ? oldest() : undefined;
    if (first !== undefined) entries.delete(first);
    entries.set(id, known);
    return known;
  }

  function end(name: string): void {
    const held = waited.get(name);
    waited.delete(name);
    held?.cancel();
    held?.known.ending?.abort();
  }

  function watchExpiry(name: string, expiresAt: number): () => void {
    if (expiresAt === Infinity) return () => undefined;
    const left = Math.max(0, expiresAt - clock.now());
    return clock.after(Math.min(left, MAX_TIMER_MS), () => {
      const held = waited.get(name);
      if (left <= MAX_TIMER_MS) end(name);
      else if (held) held.cancel = watchExpiry(name, expiresAt);
    });
  }

  return {
    get: (id) => entries.get(id),
    async load(id) {
      const stored = await store.read(id);
      // Another request may have loaded it meanwhile, or changed it.
      return stored && (entries.get(id) ?? keep(prepare(stored, clock.now(), watched)));
    },
    changed(stored) {
      const { id, revoked_at } = stored.token;
      const before = entries.get(id);
      const bucket = before?.bucket;
      keep({
        ...prepare(stored, clock.now(), watched),
        ...(bucket && { bucket }),
        usedAt: before?.usedAt ?? 0,
      });
      if (revoked_at !== null) end(callerName(id));
    },
    endOf({ name }) {
      const held = waited.get(name);
      if (held?.known.ending) return held.known.ending.signal;
      const known = entries.get(name.slice(PREFIX.length));
      if (known === undefined || !name.startsWith(PREFIX)) return undefined;
      known.ending = new AbortController();
      // As many streams as its holder opens wait for it.
      setMaxListeners(0, known.ending.signal);
      waited.set(name, { known, cancel: watchExpiry(name, known.expiresAt) });
      return known.ending.signal;
    },
    close() {
      for (const { cancel } of waited.values()) cancel();
      waited.clear();
    },
  };
}

const PREFIX = "token:";

export function callerName(id: string): string {
  return PREFIX + id;
}

export function tokenIdOfCaller({ name }: Caller): string | undefined {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;
}

function prepare(
  { token, digest, previousDigest }: StoredToken,
  now: number,
  watched: (caller: Caller) => Caller,
): KnownToken {
  const { binding, rate, scopes, expires_at, previous_until } = token;
  return {
    token,
    digest: Buffer.from(digest, "latin1"),
    previous:
      previousDigest === null || previous_until === null
        ? undefined
        : { digest: Buffer.from(previousDigest, "latin1"), until: Date.parse(previous_until) },
    expiresAt: expires_at === null ? Infinity : Date.parse(expires_at),
    caller: watched({
      name: callerName(token.id),
      scopes,
      ...(binding && { binding }),
      ...(token.kind === "enrol" && { enrols: true as const }),
    }),
    bucket: rate === null ? undefined : createTokenBucket(rate, now),
    usedAt: 0,
    ending: undefined,
  };
}
