// Keeps one line at the bottom of a terminal while others are printed above it.
import type { CliOutput } from "../cli-io.ts";
import { FRAME_MS } from "./progress-line.ts";

interface LiveLine {
  /** Prints a finished line above the live one. */
  print(line: string): void;
  /** Removes the live line. */
  stop(): void;
}

const ERASE = "\r\u001b[K";

/** Without a terminal there is no live line: finished lines are simply printed. */
export function createLiveLine(output: CliOutput, render: () => string): LiveLine {
  if (output.isTTY !== true) {
    return { print: (line) => void output.write(`${line}\n`), stop: () => {} };
  }
  let stopped = false;
  const draw = () => void output.write(`${ERASE}${render()}`);
  const timer = setInterval(draw, FRAME_MS);
  // A live line is no reason to keep the program running.
  timer.unref();
  draw();
  return {
    print(line) {
      output.write(stopped ? `${line}\n` : `${ERASE}${line}\n${render()}`);
    },
    stop() {
      if (stopped) return;
      stopped = true;
      clearInterval(timer);
      output.write(ERASE);
    },
  };
}
