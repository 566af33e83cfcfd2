// The output of one command: an excerpt in memory, all of it in a file as soon as the excerpt does not hold it.
import type { OutputExcerpt, OutputFile } from "../../core/ports/environments.ts";
import { createHeadTail } from "../../runtime/processes/head-tail.ts";
import { createSpill } from "./spill.ts";
import type { Spill } from "./spill.ts";

export interface Capture {
  push(bytes: Buffer): void;
  /** Passes on the beginning of the output as it comes, and immediately what has already arrived. */
  listen(onOutput: (piece: Uint8Array) => void): void;
  finish(): Promise<{ output: OutputExcerpt; whole?: OutputFile }>;
  discard(): Promise<void>;
}

interface CaptureOptions {
  excerptBytes: number;
  wholeBytes: number;
  spillDir: string | undefined;
  /** Called with true when the source should wait, and with false when it may go on. */
  onPressure: (wait: boolean) => void;
}

export function createCapture(options: CaptureOptions): Capture {
  const { excerptBytes, wholeBytes, spillDir, onPressure } = options;
  const excerpt = createHeadTail(excerptBytes);
  let spill: Spill | undefined;
  let listener: ((piece: Uint8Array) => void) | undefined;

  function keepWhole(bytes: Buffer): void {
    if (excerpt.bytes + bytes.length <= excerptBytes || wholeBytes <= 0) return;
    if (spill === undefined) {
      spill = createSpill({
        dir: spillDir,
        maxBytes: wholeBytes,
        onFull: () => onPressure(true),
        onDrained: () => onPressure(false),
      });
      if (excerpt.bytes > 0) spill.append(Buffer.concat(excerpt.pieces()));
    }
    spill.append(bytes);
  }

  return {
    push(bytes) {
      if (listener !== undefined && excerpt.bytes < excerptBytes) {
        listener(Buffer.from(bytes.subarray(0, excerptBytes - excerpt.bytes)));
      }
      keepWhole(bytes);
      excerpt.append(bytes);
    },
    listen(onOutput) {
      listener = onOutput;
      if (excerpt.bytes > 0) onOutput(Buffer.concat(excerpt.pieces()).subarray(0, excerptBytes));
    },
    async finish() {
      const output: OutputExcerpt = {
        text: withoutFinalNewline(excerpt.text()),
        bytes: excerpt.bytes,
        truncated: excerpt.truncated,
      };
      const whole = await spill?.finish();
      return whole === undefined ? { output } : { output, whole };
    },
    async discard() {
      await spill?.remove();
    },
  };
}

function withoutFinalNewline(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}
