// Keeps what changes at the bottom of a terminal while finished lines are printed above it.
import type { CliOutput } from "../cli-io.ts";
import { FRAME_MS } from "./progress-line.ts";

export interface LiveLine {
  /** Prints finished lines above the live ones. */
  print: (text: string) => void;
  /** Draws what `render` returns now. */
  draw: () => void;
  /** Leaves the bottom of the terminal to `to`, which prints finished lines from then on; takes it back when absent. */
  lend: (to?: { print(text: string): void }) => void;
  /** Removes the live lines. */
  stop: () => void;
}

const ERASE = "\r\u001b[K";
const UP = "\u001b[1A";

/**
 * `render` returns one line, or several with line breaks between them; none may be wider than the terminal. Without a terminal there
 * are no live lines: finished ones are simply printed.
 */
export function createLiveLine(output: CliOutput, render: () => string): LiveLine {
  if (output.isTTY !== true) {
    const nothing = (): void => {};
    return {
      print: (text) => void output.write(`${text}\n`),
      draw: nothing,
      lend: nothing,
      stop: nothing,
    };
  }
  let stopped = false;
  let guest: { print(text: string): void } | undefined;
  /** Number of line breaks in what is drawn. */
  let breaks = 0;
  const erased = (): string => {
    const codes = ERASE + `${UP}${ERASE}`.repeat(breaks);
    breaks = 0;
    return codes;
  };
  const drawn = (): string => {
    const text = render();
    breaks = text.split("\n").length - 1;
    return text;
  };
  const draw = (): void => {
    if (!stopped && guest === undefined) output.write(`${erased()}${drawn()}`);
  };
  const timer = setInterval(draw, FRAME_MS);
  // A live line is no reason to keep the program running.
  timer.unref();
  draw();
  return {
    draw,
    print(text) {
      if (guest !== undefined) guest.print(text);
      else output.write(stopped ? `${text}\n` : `${erased()}${text}\n${drawn()}`);
    },
    lend(to) {
      if (stopped) return;
      if (to !== undefined && guest === undefined) output.write(erased());
      guest = to;
      draw();
    },
    stop() {
      if (stopped) return;
      stopped = true;
      clearInterval(timer);
      if (guest === undefined) output.write(erased());
      guest = undefined;
    },
  };
}
