// Writes the audit log in the order in which things happened. Only its readers wait for it; what cannot be written is reported.
import type { Clock } from "../core/ports/clock.ts";
import type { TokenStore } from "../core/ports/token-store.ts";
import type { NewAuditEntry } from "../core/token.ts";

export interface AuditLog {
  note(entry: NewAuditEntry): void;
  /** Resolves when all that was noted is on disk, or has been reported. */
  written(): Promise<void>;
}

interface AuditLogDeps {
  store: Pick<TokenStore, "note">;
  clock: Pick<Clock, "now">;
  report: (problem: unknown) => void;
}

/** Entries that may wait to be written; more are dropped, and their number is noted. */
const MAX_WAITING = 1000;

export function createAuditLog({ store, clock, report }: AuditLogDeps): AuditLog {
  let waiting: (NewAuditEntry & { at: number })[] = [];
  let dropped = 0;
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const entries = waiting;
      waiting = [];
      if (dropped > 0) {
        entries.push({ ...LOST, at: clock.now(), details: { count: dropped } });
        dropped = 0;
      }
      await store.note(entries).catch(report);
    }
    writing = undefined;
  }

  return {
    note(entry) {
      if (waiting.length < MAX_WAITING) waiting.push({ ...entry, at: clock.now() });
      else dropped += 1;
      writing ??= write();
    },
    written: async () => writing,
  };
}

const LOST: Omit<NewAuditEntry, "details"> = { actor: "hub", action: "audit.dropped", subject: "audit" };
