// A readable stream that is fed from somewhere else, which learns when it should wait. Whoever stops reading gets no more than a buffer.
import { Readable } from "node:stream";

export interface Outlet {
  stream: Readable;
  /** Passes a piece on; returns false when the reader has enough for now. */
  push(piece: Uint8Array): boolean;
  /** Returns whether the reader takes more; a discarded stream takes everything. */
  ready(): boolean;
  end(): void;
}

/** `wanted` is called when the reader wants more. */
export function openOutlet(wanted: () => void): Outlet {
  let open = true;
  let ready = true;
  const stream = new Readable({
    read() {
      if (ready) return;
      ready = true;
      wanted();
    },
    destroy(error, done) {
      open = false;
      ready = true;
      wanted();
      done(error);
    },
  });
  return {
    stream,
    push(piece) {
      if (open) ready = stream.push(piece);
      return ready;
    },
    ready: () => ready,
    end() {
      if (open) stream.push(null);
      open = false;
    },
  };
}
