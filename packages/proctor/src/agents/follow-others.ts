// Keeps the registry of this process up to date with those of other processes on the same database: agents that were added, changed or
// removed there, beats that arrived there, commands that were given there. Without others it does nothing.
import type { Clock } from "../core/ports/clock.ts";
import type { Lease, RegistryStore } from "../core/ports/registry-store.ts";
import type { Changes } from "./changes.ts";
import type { Entries } from "./entries.ts";
import type { Entry } from "./entry.ts";

export interface FollowOthers {
  start(): void;
  /** Looks now, for an agent that is not known here and may have been added elsewhere a moment ago. */
  catchUp(): Promise<void>;
  /** Runs work of this process on its own entries: while it goes on, and right after it, what was read from disk may be older. */
  own<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface FollowOthersDeps {
  store: Pick<RegistryStore, "revision" | "leasesSince">;
  clock: Clock;
  entries: Entries;
  /** Reads all entries from disk. */
  readAll: () => Promise<Entry[]>;
  changes: Pick<Changes, "add">;
  describe: (entry: Entry) => Parameters<Changes["add"]>[2];
  notice: (entry: Entry) => void;
  /** Stops all writes about this agent. */
  forget: (name: string) => void;
  report: (problem: unknown) => void;
}

const LOOK_MS = 1000;
/** Milliseconds that looks overlap: beats are gathered for a second before they are written, with the time at which they came. */
const OVERLAP_MS = 10_000;

export function createFollowOthers(deps: FollowOthersDeps): FollowOthers {
  const { store, clock, entries, changes, describe } = deps;
  let known: string | undefined;
  let heardUntil = clock.now();
  let working = 0;
  let worked = 0;
  let isClosed = false;
  let callOff = (): void => undefined;
  let looking: Promise<void> = Promise.resolve();

  async function lookAtDefinitions(revision: string): Promise<void> {
    const before = worked;
    const wanted = new Map((await deps.readAll()).map((entry) => [entry.agent.name, entry]));
    // The next look finds it again.
    if (working > 0 || worked !== before || isClosed) return;
    for (const name of entries.sorted().map(({ agent }) => agent.name)) {
      if (wanted.has(name)) continue;
      deps.forget(name);
      entries.delete(name);
      changes.add("removed", name);
    }
    for (const [name, entry] of wanted) {
      const present = entries.get(name);
      if (present !== undefined && isSame(present, entry)) continue;
      const next = present === undefined ? entry : renewed(present, entry);
      entries.set(next);
      changes.add(present === undefined ? "registered" : "updated", name, describe(next));
      deps.notice(next);
    }
    known = revision;
  }

  async function lookAtLeases(): Promise<void> {
    const now = clock.now();
    for (const lease of await store.leasesSince(heardUntil - OVERLAP_MS)) {
      const entry = entries.get(lease.agent);
      if (entry === undefined || !isNewer(lease, entry.lease)) continue;
      Object.assign(entry.lease, lease);
      deps.notice(entry);
    }
    heardUntil = now;
  }

  async function look(): Promise<void> {
    const revision = await store.revision?.();
    if (revision === undefined || isClosed) return;
    if (revision !== known && working === 0) await lookAtDefinitions(revision);
    await lookAtLeases();
  }

  /** Runs one look after the other. */
  function lookNext(): Promise<void> {
    const next = looking.then(look);
    looking = next.catch(() => undefined);
    return next;
  }

  function plan(): void {
    if (isClosed) return;
    callOff = clock.after(LOOK_MS, () => {
      lookNext()
        .catch((problem: unknown) => isClosed || deps.report(problem))
        .finally(plan);
    });
  }

  return {
    start() {
      if (store.revision) plan();
    },
    async catchUp() {
      if (store.revision) await lookNext();
    },
    async own(work) {
      working++;
      try {
        return await work();
      } finally {
        working--;
        worked++;
      }
    },
    async close() {
      isClosed = true;
      callOff();
      await looking;
    },
  };
}

/** Returns what is known of the agent here, with its new definition. Another instance starts afresh, but for its measured answers. */
function renewed(present: Entry, { agent, registration, ...rest }: Entry): Entry {
  if (present.lease.instance === rest.lease.instance) return { ...present, agent, registration };
  return { ...rest, agent, registration, measures: present.measures };
}

function isSame(a: Entry, b: Entry): boolean {
  const facts = ({ agent, registration, lease }: Entry): string =>
    JSON.stringify([agent, registration, lease.instance]);
  return facts(a) === facts(b);
}

/** Returns whether the lease was changed elsewhere after what is known here. */
function isNewer(lease: Lease, known: Lease): boolean {
  return (lease.beatAt ?? 0) > (known.beatAt ?? 0) || (lease.commandedAt ?? 0) > (known.commandedAt ?? 0);
}
