// What the registry writes to disk besides registrations: beats and measured answers, gathered for a second, and changes of state, at once.
import type { Clock } from "../core/ports/clock.ts";
import type { NewHealthEntry, RegistryStore } from "../core/ports/registry-store.ts";
import type { Measures } from "./measures.ts";

export interface RegistryWriter {
  beat(agent: string, at: number): void;
  measured(agent: string, measures: Measures): void;
  note(entry: NewHealthEntry): void;
  /** Stops all writes about this agent. */
  forget(agent: string): void;
  /** Resolves when everything so far is on disk. Never rejects: what fails is reported. */
  flush(): Promise<void>;
  /** Reports that a hub is at work from now on: its being alive is kept with what it writes. */
  start(): void;
  close(): Promise<void>;
}

interface RegistryWriterDeps {
  store: RegistryStore;
  clock: Clock;
  report: (problem: unknown) => void;
}

/** Milliseconds for which beats are gathered. A crash loses no more: agents have a grace after it. */
const GATHER_MS = 1000;

export function createRegistryWriter({ store, clock, report }: RegistryWriterDeps): RegistryWriter {
  let beats = new Map<string, number>();
  let measures = new Map<string, Measures>();
  let notes: NewHealthEntry[] = [];
  let cancel: (() => void) | undefined;
  let isHub = false;
  let noting = false;
  let last: Promise<void> = Promise.resolve();

  function gather(): void {
    cancel ??= clock.after(GATHER_MS, () => void flush());
  }

  function flush(): Promise<void> {
    cancel?.();
    cancel = undefined;
    last = last.then(write).catch(report);
    return last;
  }

  async function write(): Promise<void> {
    await writeNotes();
    const heard = beats;
    const measured = measures;
    beats = new Map();
    measures = new Map();
    if (measured.size > 0) {
      await store.measure([...measured].map(([agent, document]) => ({ agent, document })));
    }
    if (heard.size === 0) return;
    await store.beats(
      [...heard].map(([agent, at]) => ({ agent, at })),
      clock.now(),
    );
  }

  async function writeNotes(): Promise<void> {
    const entries = notes;
    notes = [];
    if (entries.length > 0) await store.note(entries, isHub ? clock.now() : null);
  }

  /** Writes changes of many agents at one time in one commit. */
  function noteSoon(): void {
    if (noting) return;
    noting = true;
    queueMicrotask(() => {
      noting = false;
      last = last.then(writeNotes).catch(report);
    });
  }

  return {
    beat(agent, at) {
      beats.set(agent, at);
      gather();
    },
    measured(agent, document) {
      measures.set(agent, document);
      gather();
    },
    note(entry) {
      notes.push(entry);
      noteSoon();
    },
    forget(agent) {
      beats.delete(agent);
      measures.delete(agent);
      notes = notes.filter((entry) => entry.agent !== agent);
    },
    flush,
    start() {
      isHub = true;
    },
    async close() {
      await flush();
      if (isHub) await store.beats([], clock.now()).catch(report);
    },
  };
}
