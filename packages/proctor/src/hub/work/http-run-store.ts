// The log of a run that this worker has, at a hub.
import { contentSha256 } from "../../core/artifact.ts";
import { ProctorError } from "../../core/errors.ts";
import type { RunStore } from "../../core/ports/run-store.ts";
import type { Sealer } from "../../core/ports/sealer.ts";
import type { EventRecord, NewEvent } from "../../core/ports/store.ts";
import type { Opened, WorkAppend, WorkEvent } from "../../core/ports/work-desk.ts";
import type { Run } from "../../core/run.ts";
import { sealedHere } from "./sealed-here.ts";
import type { Holding, WorkLink } from "./work-link.ts";

interface ReadRun {
  run: Run;
  sealed: Opened;
  continuation: Opened;
}

/** Milliseconds that a batch which the hub writes may take. */
const APPEND_MS = 60_000;

export function createHttpRunStore(
  { link, sealer }: { link: WorkLink; sealer: Sealer },
  holding: Holding,
): RunStore {
  const { runId } = holding;
  const headers = link.headersOf(holding);

  function ask<T>(what: string, body: object): Promise<T> {
    return link.persist(holding, (signal) =>
      link.ask<T>(`/work/runs/${runId}/${what}`, { body, headers, signal, timeoutMs: APPEND_MS }),
    );
  }

  async function read(id: string): Promise<ReadRun | undefined> {
    try {
      return await ask<ReadRun>("read", id === runId ? {} : { of: id });
    } catch (error) {
      if (ProctorError.is(error) && error.code === "RUN_NOT_FOUND") return undefined;
      throw error;
    }
  }

  function opened(sealed: string): string {
    const text = sealer.open(sealed);
    if (text === undefined) throw new Error("it was not sealed here");
    return text;
  }

  return {
    async append(_id, events, { continuation, successor }) {
      const append: WorkAppend = {
        after: holding.sequence,
        events: events.map(encode),
        ...receiptsOf(holding, events),
        ...(continuation !== undefined && { continuation: opened(continuation) }),
        ...(successor && { successor: { id: successor.id, not_before: Math.round(successor.notBefore) } }),
      };
      try {
        const { last_sequence } = await ask<{ last_sequence: number }>("events", append);
        holding.sequence = Math.max(holding.sequence, last_sequence);
        if (events.some(isLast)) link.drop(holding);
        link.written(runId, last_sequence, events.length, false, true);
      } catch (error) {
        // From now on nothing more is written to it.
        if (ProctorError.is(error) && error.code === "ILLEGAL_TRANSITION") link.lose(holding);
        throw error;
      }
    },
    readRun: async (id) => (await read(id))?.run,
    async readSecrets(id) {
      const found = await read(id);
      if (found === undefined) return undefined;
      const { sealed, continuation } = found;
      return { sealed: sealedHere(sealer, sealed), continuation: sealedHere(sealer, continuation) };
    },
    async readEvents(id, after, limit) {
      const page = { after, limit, ...(id !== runId && { of: id }) };
      const { items } = await ask<{ items: Omit<EventRecord, "run_id">[] }>("log", page);
      const last = items.at(-1);
      if (id === runId && last) holding.sequence = Math.max(holding.sequence, last.sequence);
      return items.map((item) => ({ run_id: id, ...item }));
    },
  };
}

function encode({ timestamp, draft, payload }: NewEvent): WorkEvent {
  const { type, origin } = draft;
  return { timestamp, type, payload, origin: origin === undefined ? null : JSON.stringify(origin) };
}

/** Returns receipts for the bytes that the events record; the hub wants none for data inside a record. */
function receiptsOf({ receipts }: Holding, events: readonly NewEvent[]): Pick<WorkAppend, "receipts"> {
  const found: Record<string, string> = {};
  for (const { draft } of events) {
    const sha256 = draft.type === "artifact.added" ? contentSha256(draft.payload.artifact) : undefined;
    const receipt = sha256 === undefined ? undefined : receipts.get(sha256);
    if (sha256 !== undefined && receipt !== undefined) found[sha256] = receipt;
  }
  return Object.keys(found).length === 0 ? {} : { receipts: found };
}

/** Returns whether no worker has the run after the event. */
function isLast({ draft }: NewEvent): boolean {
  return draft.type === "run.ended" || draft.type === "session.parked";
}
