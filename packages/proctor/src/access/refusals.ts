// Wrong tokens, by the address that they come from: after some in a minute they are answered 429 (right ones never are), and the audit log
// has one entry for the first and one for the others of each minute.
import { ProctorError } from "../core/errors.ts";
import type { Clock } from "../core/ports/clock.ts";
import { createOldestKey } from "../core/oldest-key.ts";
import type { AuditLog } from "./audit-log.ts";

export interface Refusals {
  /** The error for a wrong token. */
  refuse(address: string | undefined, reason: string): ProctorError;
  /** Notes what has not been noted yet. */
  flush(): void;
}

interface Minute {
  startedAt: number;
  count: number;
  reason: string;
}

const WINDOW_MS = 60_000;
/** Wrong tokens of one address that are answered 401 in a minute. */
export const MAX_WRONG_TOKENS = 20;
const MAX_ADDRESSES = 10_000;

export function createRefusals(audit: Pick<AuditLog, "note">, clock: Clock): Refusals {
  const minutes = new Map<string, Minute>();
  const oldest = createOldestKey(minutes);
  let cancelTimer: (() => void) | undefined;

  function noteRest(address: string, { count, reason }: Minute): void {
    if (count > 1) note(address, reason, count - 1);
  }

  function note(address: string, reason: string, count: number): void {
    const details = { address, reason, count };
    audit.note({ actor: "nobody", action: "token.refused", subject: `address:${address}`, details });
  }

  function drop(address: string): void {
    const minute = minutes.get(address);
    minutes.delete(address);
    if (minute) noteRest(address, minute);
  }

  function begin(address: string, reason: string): Minute {
    if (minutes.size >= MAX_ADDRESSES) drop(oldest() ?? "");
    const minute = { startedAt: clock.now(), count: 0, reason };
    minutes.set(address, minute);
    cancelTimer ??= clock.after(WINDOW_MS, sweep);
    return minute;
  }

  function sweep(): void {
    cancelTimer = undefined;
    const now = clock.now();
    for (const [address, { startedAt }] of minutes) if (now - startedAt >= WINDOW_MS) drop(address);
    if (minutes.size > 0) cancelTimer = clock.after(WINDOW_MS, sweep);
  }

  return {
    refuse(address = "unknown", reason) {
      const now = clock.now();
      const before = minutes.get(address);
      if (before && now - before.startedAt >= WINDOW_MS) drop(address);
      const minute = minutes.get(address) ?? begin(address, reason);
      minute.count += 1;
      if (minute.count === 1) note(address, reason, 1);
      if (minute.count <= MAX_WRONG_TOKENS) return new ProctorError("UNAUTHORIZED", reason);
      const seconds = Math.ceil((minute.startedAt + WINDOW_MS - now) / 1000);
      return new ProctorError(
        "RATE_LIMITED",
        `too many wrong tokens from this address\ntry again in ${seconds} s`,
        {
          details: { retry_after_seconds: seconds },
        },
      );
    },
    flush() {
      cancelTimer?.();
      cancelTimer = undefined;
      for (const address of minutes.keys()) drop(address);
    },
  };
}
