// The MCP client's transport over the pipes of a program: one JSON-RPC message per line. What else is on stdout is noise.
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { Clock } from "../../core/ports/clock.ts";
import { waitAtMost } from "../../core/wait-at-most.ts";
import type { ProcessReport, ToolProcess } from "./tool-process.ts";

export interface McpStdio extends Transport {
  /** Returns how the program ended, with the last lines of its stderr; undefined while it runs. */
  ending(): string | undefined;
}

/** Milliseconds that a program may take to end by itself after its input was closed. */
const EXIT_GRACE_MS = 500;
const STDERR_CHARS = 1000;

interface McpStdioOptions {
  /** Decodes a message; a part of the client library, which is loaded only when it is needed. */
  deserialize: (line: string) => JSONRPCMessage;
  clock: Clock;
}

export function createMcpStdio(program: ToolProcess, { deserialize, clock }: McpStdioOptions): McpStdio {
  let stderr: string[] = [];
  let ending: string | undefined;
  let reading: Promise<void> = Promise.resolve();

  function take(report: ProcessReport): void {
    const { kind, stream, text = "" } = report;
    if (kind === "exit") ending = describeExit(report, stderr.join("\n"));
    else if (kind === "not-started") ending = report.message ?? "it could not be started";
    else if (kind === "line" && stream === "stderr") stderr = lastLines([...stderr, text]);
    else if (kind === "line" && text.trim() !== "") receive(text);
  }

  function receive(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = deserialize(line);
    } catch (error) {
      transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    transport.onmessage?.(message);
  }

  async function read(): Promise<void> {
    for await (const reports of program) for (const report of reports) take(report);
    ending ??= "it ended";
    transport.onclose?.();
  }

  const endOrGrace = (): Promise<void> => waitAtMost(clock, EXIT_GRACE_MS, reading);

  const transport: McpStdio = {
    ending: () => ending,
    async start() {
      reading = read();
    },
    async send(message) {
      if (await program.write(`${JSON.stringify(message)}\n`)) return;
      // The program has most likely ended, and its exit is about to be reported.
      await endOrGrace();
      throw new Error(ending ?? "it no longer reads its input");
    },
    async close() {
      program.endInput();
      await endOrGrace();
      await program.kill();
      await reading;
    },
  };
  return transport;
}

/** Returns the last lines, only whole ones, because half a secret would not be recognised. */
function lastLines(lines: readonly string[]): string[] {
  let chars = 0;
  const first = lines.findLastIndex((line) => (chars += line.length + 1) > STDERR_CHARS) + 1;
  return first < lines.length
    ? lines.slice(first)
    : lines.slice(-1).map((line) => `(a line of ${line.length} characters)`);
}

function describeExit({ code, signal }: ProcessReport, stderr: string): string {
  const how = signal == null ? `it exited with code ${code ?? "?"}` : `it was ended by ${signal}`;
  return stderr.trim() === "" ? how : `${how}: ${stderr.trim()}`;
}
