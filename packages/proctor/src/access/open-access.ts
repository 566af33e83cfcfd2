// Puts the parts of this folder together over a store.
import type { Caller } from "../core/caller.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { TokenStore } from "../core/ports/token-store.ts";
import type { Authority, Tokens } from "../core/ports/tokens.ts";
import { createAuditLog } from "./audit-log.ts";
import { createAuthority } from "./authority.ts";
import { createKnownTokens } from "./known-tokens.ts";
import { createRefusals } from "./refusals.ts";
import { createRunTokens, type RunTokensDeps } from "./run-tokens.ts";
import { createTokens } from "./tokens.ts";

export interface AccessOptions {
  store: TokenStore;
  clock: Clock;
  /** True where the configuration has tokens of its own, which close the hub whatever is stored. */
  hasOwnTokens: boolean;
  runKey: RunTokensDeps["key"];
  isLive: RunTokensDeps["isLive"];
  report: (problem: unknown) => void;
}

export interface Access {
  tokens: Tokens;
  authority: Authority;
  /** Writes what waits to be written. */
  close(): Promise<void>;
}

/** Milliseconds for which uses of tokens are collected before they are written. */
const TOUCH_MS = 1000;

export async function openAccess(options: AccessOptions): Promise<Access> {
  const { store, clock, report } = options;
  let isClosed = options.hasOwnTokens || (await store.isClosed());
  const closed = (): boolean => isClosed;
  const audit = createAuditLog({ store, clock, report });
  const refusals = createRefusals(audit, clock);
  const watched = (caller: Caller): Caller => {
    caller.onDenied = (error) => refusals.deny(caller, error);
    return caller;
  };
  const known = createKnownTokens(store, clock, watched);
  const now = (): number => clock.now();
  const runs = createRunTokens({ key: options.runKey, isLive: options.isLive, now, watched });
  let uses = new Map<string, number>();
  let cancelTouch: (() => void) | undefined;

  async function touch(): Promise<void> {
    cancelTouch?.();
    cancelTouch = undefined;
    const noted = uses;
    uses = new Map();
    if (noted.size > 0) await store.touch(noted).catch(report);
  }

  function onUse(id: string, minute: number): void {
    uses.set(id, minute);
    cancelTouch ??= clock.after(TOUCH_MS, () => void touch());
  }

  const tokens = createTokens({
    store,
    known,
    audit,
    clock,
    closed,
    onClosed: () => void (isClosed = true),
  });
  return {
    tokens,
    authority: createAuthority({ store, tokens, known, runs, audit, refusals, clock, closed, onUse }),
    async close() {
      known.close();
      refusals.flush();
      await touch();
      await audit.written();
    },
  };
}
