// Records refusals in the audit log, in few entries however often they happen. Wrong tokens count by the address that they come from, and
// after some in a minute they are answered 429 (right ones never are); what a right token may not do counts by its caller.
import type { Caller } from "../core/caller.ts";
import { ProctorError } from "../core/errors.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { AuditLog } from "./audit-log.ts";
import { createMinuteTally, MINUTE_MS } from "./minute-tally.ts";

export interface Refusals {
  /** Returns the error for a wrong token. */
  refuse(address: string | undefined, reason: string): ProctorError;
  /** Notes what a caller was refused for its scopes or its binding. */
  deny(caller: Caller, error: ProctorError): void;
  /** Notes what has not been noted yet. */
  flush(): void;
}

/** Wrong tokens of one address that are answered 401 in a minute. */
export const MAX_WRONG_TOKENS = 20;

export function createRefusals(audit: Pick<AuditLog, "note">, clock: Clock): Refusals {
  const wrong = createMinuteTally(clock, (address, reason, count) => {
    const details = { address, reason, count };
    audit.note({ actor: "nobody", action: "token.refused", subject: `address:${address}`, details });
  });
  const denied = createMinuteTally(clock, (name, reason, count) =>
    audit.note({ actor: name, action: "access.denied", subject: name, details: { reason, count } }),
  );

  return {
    refuse(address = "unknown", reason) {
      const { count, startedAt } = wrong.add(address, reason);
      if (count <= MAX_WRONG_TOKENS) return new ProctorError("UNAUTHORIZED", reason);
      const seconds = Math.ceil((startedAt + MINUTE_MS - clock.now()) / 1000);
      return new ProctorError(
        "RATE_LIMITED",
        `too many wrong tokens from this address\ntry again in ${seconds} s`,
        { details: { retry_after_seconds: seconds } },
      );
    },
    deny({ name }, { code, message }) {
      const [first = ""] = message.split("\n", 1);
      denied.add(name, `${code}: ${first}`);
    },
    flush() {
      wrong.flush();
      denied.flush();
    },
  };
}
