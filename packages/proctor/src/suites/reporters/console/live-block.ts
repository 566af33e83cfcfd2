// Some lines at the bottom of a terminal that are redrawn in place while others are printed above them. Whatever happens
// between two ticks of its timer is one write: thousands of events a second cost ten redraws, and nothing flickers.
import { textWidth } from "../columns.ts";
import type { Write } from "../../reporter.ts";

export interface LiveBlock {
  /** Prints whole lines above the block. */
  print(text: string): void;
  /** Prints what waits, removes the block and stops the timer. */
  close(): void;
}

interface LiveBlockOptions {
  write: Write;
  columns: () => number;
  /** The lines as they are now: each must fit, `plain` is what its width is taken from. */
  render: () => { plain: string; painted: string }[];
}

const REDRAW_MS = 100;
/** Characters that may wait for the next tick; more are written at once. */
const MAX_WAITING = 65_536;

const ERASE_BELOW = "\u001b[J";
const ERASE_REST = "\u001b[K";
// A line that is wider than we think must not wrap: the next redraw would leave half of it behind.
const NO_WRAP = "\u001b[?7l";
const WRAP = "\u001b[?7h";

export function createLiveBlock({ write, columns, render }: LiveBlockOptions): LiveBlock {
  let waiting = "";
  let drawn: string[] = [];
  let shown = "";
  // A live block is no reason to keep the program running.
  const timer = setInterval(() => flush(), REDRAW_MS).unref();

  /** Rows that what was drawn takes now: a window that became narrower has wrapped it. */
  const rowsDrawn = (): number =>
    drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(textWidth(line) / columns())), 0);

  /** From the end of what was drawn to its beginning. */
  function toTop(): string {
    const rows = rowsDrawn();
    return rows > 1 ? `\r\u001b[${rows - 1}A` : "\r";
  }

  function flush(): void {
    const lines = render();
    const frame = lines.map(({ painted }) => `${painted}${ERASE_REST}`).join("\n");
    if (waiting === "" && frame === shown) return;
    const printed = waiting === "" ? "" : `${drawn.length > 0 ? ERASE_BELOW : ""}${waiting}`;
    const rest = waiting === "" && rowsDrawn() > lines.length ? ERASE_BELOW : "";
    const start = drawn.length > 0 ? toTop() : "";
    write(`${start}${printed}${frame === "" ? "" : `${NO_WRAP}${frame}${WRAP}`}${rest}`);
    waiting = "";
    drawn = lines.map(({ plain }) => plain);
    shown = frame;
  }

  return {
    print(text) {
      waiting += text;
      if (waiting.length > MAX_WAITING) flush();
    },
    close() {
      clearInterval(timer);
      const erase = drawn.length > 0 ? `${toTop()}${ERASE_BELOW}` : "";
      if (erase !== "" || waiting !== "") write(`${erase}${waiting}`);
      waiting = "";
      drawn = [];
      shown = "";
    },
  };
}
