// The first line that a program's wrapper writes: its process id inside. What follows belongs to the program itself.

const LONGEST = 24;

interface FirstLine {
  /** Returns the bytes that belong to the program; undefined while the line is incomplete. */
  take(piece: Uint8Array): Uint8Array | undefined;
  /** Returns the bytes that were held back, when the stream has ended. */
  rest(): Uint8Array;
}

/** Reads the wrapper's first line; `found` gets undefined where the engine wrote a message instead. */
export function readFirstLine(found: (pid: number | undefined) => void): FirstLine {
  let held: Uint8Array | undefined = new Uint8Array();
  return {
    take(piece) {
      if (!held) return piece;
      held = Buffer.concat([held, piece]);
      const end = held.indexOf(0x0a);
      if (end < 0 && held.length <= LONGEST) return undefined;
      const whole = held;
      held = undefined;
      const line = end < 0 ? "" : Buffer.from(whole.subarray(0, end)).toString("latin1").trim();
      const known = /^\d{1,10}$/.test(line);
      found(known ? Number(line) : undefined);
      return known ? whole.subarray(end + 1) : whole;
    },
    rest() {
      const rest = held ?? new Uint8Array();
      if (held) found(undefined);
      held = undefined;
      return rest;
    },
  };
}
