// A program run to its end: what it wrote, within bounds, and how it ended. Nothing of it is left afterwards.
import { randomUUID } from "node:crypto";
import type { CommandRequest, CommandResult, RunCommand } from "../../core/ports/commands.ts";
import { baseEnvironment } from "./base-environment.ts";
import { openProcess } from "./open-process.ts";
import type { ProcessChannel } from "./open-process.ts";

const MARK = "PROCTOR_COMMAND_ID";
const MAX_OUTPUT_BYTES = 1024 * 1024;

export const runCommand: RunCommand = async (request, signal) => {
  signal.throwIfAborted();
  const { command, cwd, input, timeoutMs, maxOutputBytes = MAX_OUTPUT_BYTES } = request;
  const startedAt = performance.now();
  const channel = openProcess({
    command,
    cwd,
    env: environment(request),
    markVariable: MARK,
    maxLineBytes: maxOutputBytes,
  });
  let late = false;
  const stop = (): void => void channel.kill();
  const timer = setTimeout(() => {
    late = true;
    stop();
  }, timeoutMs);
  signal.addEventListener("abort", stop, { once: true });
  try {
    // Not awaited: a program that does not read its input may still write, and end.
    if (input !== undefined) void channel.write(input);
    channel.endInput();
    const end = await collect(channel, maxOutputBytes);
    signal.throwIfAborted();
    const timedOut = late && end.code === null;
    return { ...end, timedOut, durationMs: performance.now() - startedAt };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
};

/** Each command has a mark of its own: a command must not kill another one of the same run. */
function environment({ env }: CommandRequest): Record<string, string> {
  return { ...baseEnvironment(), ...env, [MARK]: randomUUID() };
}

async function collect(
  channel: ProcessChannel,
  maxBytes: number,
): Promise<Omit<CommandResult, "timedOut" | "durationMs">> {
  const streams = { stdout: createHead(maxBytes), stderr: createHead(maxBytes) };
  let end: { code: number | null; signal: string | null } = { code: null, signal: null };
  for await (const batch of channel) {
    for (const item of batch) {
      switch (item.kind) {
        case "line":
          streams[item.stream].push(item.terminated ? `${item.text}\n` : item.text);
          break;
        case "overlong":
          streams[item.stream].push(item.head);
          streams[item.stream].close();
          break;
        case "closed":
          break;
        case "exit":
          end = { code: item.code, signal: item.signal };
          break;
        case "not-started":
          throw new Error(item.message);
        default:
          item satisfies never;
      }
    }
  }
  const { stdout, stderr } = streams;
  return { ...end, stdout: stdout.text(), stderr: stderr.text(), truncated: stdout.full() || stderr.full() };
}

/** The first `maxBytes` bytes of a text. Everything after the first piece that did not fit is dropped. */
function createHead(maxBytes: number) {
  const encoder = new TextEncoder();
  let text = "";
  let room = maxBytes;
  let full = false;
  return {
    push(piece: string): void {
      if (full) return;
      const size = Buffer.byteLength(piece);
      if (size <= room) {
        text += piece;
        room -= size;
        return;
      }
      // As many whole characters as fit.
      text += piece.slice(0, encoder.encodeInto(piece, new Uint8Array(room)).read);
      full = true;
    },
    close(): void {
      full = true;
    },
    text: (): string => text,
    full: (): boolean => full,
  };
}
