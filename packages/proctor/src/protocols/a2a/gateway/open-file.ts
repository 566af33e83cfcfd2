// A file whose bytes come in pieces, while it is being kept. One piece stays in memory; with the second, all go to the disk as they come, and
// whoever brings them waits for it.
import { once } from "node:events";
import { PassThrough } from "node:stream";
import type { A2aPart } from "../model.ts";
import type { KeepBytes, KeptPart, Origin } from "./keep-bytes.ts";

export interface OpenFile {
  /** Part with which the file began. */
  readonly part: A2aPart;
  /** Resolves when there is room for more. Rejects with the error that keeping the file met. */
  write(bytes: Uint8Array): Promise<void>;
  /** Keeps the file with its present content. */
  finish(): Promise<KeptPart>;
  /** Gives the file up: nothing of it is kept. Never throws. */
  abandon(): Promise<void>;
}

export interface OpenFileOptions {
  part: A2aPart;
  origin: Origin;
  keep: KeepBytes;
  /** Content before the first piece. */
  before?: AsyncIterable<Uint8Array>;
  signal: AbortSignal;
}

interface Flow {
  pipe: PassThrough;
  kept: Promise<KeptPart>;
}

export function openFile({ part, origin, keep, before, signal }: OpenFileOptions): OpenFile {
  const given = new AbortController();
  let first: Uint8Array | undefined;
  let flow: Flow | undefined;

  function start(): Flow {
    const pipe = new PassThrough();
    const kept = keep(part, joined(before, pipe), origin, AbortSignal.any([signal, given.signal]));
    // The next writer or `finish` gets the error; there may be no caller yet.
    kept.catch(() => pipe.destroy());
    pipe.on("error", () => undefined);
    return { pipe, kept };
  }

  async function pour({ pipe, kept }: Flow, bytes: Uint8Array): Promise<void> {
    if (!pipe.destroyed && pipe.write(bytes)) return;
    // Keeping ends before the last piece only where it fails, and then its error says why.
    await (pipe.destroyed ? kept : Promise.race([once(pipe, "drain"), kept]).catch(() => kept));
  }

  return {
    part,
    async write(bytes) {
      if (flow === undefined && first === undefined && before === undefined) {
        first = bytes;
        return;
      }
      if (flow === undefined) {
        flow = start();
        if (first) await pour(flow, first);
        first = undefined;
      }
      await pour(flow, bytes);
    },
    async finish() {
      if (flow === undefined) return keep(part, first ?? new Uint8Array(), origin, signal);
      flow.pipe.end();
      return flow.kept;
    },
    async abandon() {
      given.abort();
      flow?.pipe.destroy();
      await flow?.kept.catch(() => undefined);
    },
  };
}

async function* joined(
  before: AsyncIterable<Uint8Array> | undefined,
  after: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (before) yield* before;
  yield* after;
}
