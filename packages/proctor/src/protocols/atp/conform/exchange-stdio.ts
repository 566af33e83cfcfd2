// Raw exchanges over stdin and stdout: one process each, its request one line, then the end of its input.
import { baseEnvironment } from "../../../channels/process/base-environment.ts";
import { openProcess, type ProcessOutput } from "../../../channels/process/open-process.ts";
import type { AgentSpec } from "../../../core/agent.ts";
import { uuidV7 } from "../../../core/id.ts";
import { startDeadline } from "./deadline.ts";
import {
  concludeExchange,
  textOf,
  type Connection,
  type Ended,
  type Exchange,
  type ExchangeOptions,
} from "./exchange.ts";
import { createTranscript } from "./transcript.ts";

export function openStdio(spec: AgentSpec): Connection {
  return { exchange: (options) => runOnce(spec, options), close: () => Promise.resolve() };
}

async function runOnce(spec: AgentSpec, options: ExchangeOptions): Promise<Exchange> {
  const startedAt = performance.now();
  const channel = openProcess({
    command: spec.command ?? [],
    // Processes that leave the group are found by this id.
    env: { ...baseEnvironment(), ...spec.env, ...options.environment, PROCTOR_RUN_ID: uuidV7() },
    ...(spec.cwd !== undefined && { cwd: spec.cwd }),
  });
  const transcript = createTranscript();
  const ended: Ended = { overtime: false, cancelled: false, lingered: false, unreachable: false };
  const cut = (): void => void channel.kill();
  const deadline = startDeadline(options, { cancel: () => channel.signal("SIGTERM"), cut });

  function hear(output: ProcessOutput): void {
    switch (output.kind) {
      case "line":
      case "overlong": {
        const text = output.kind === "line" ? output.text : output.head;
        if (text.trim() === "") return;
        const { kind } = transcript.add({ text, channel: output.stream });
        if (output.stream === "stdout" && kind === "response") deadline.answered();
        else deadline.heard();
        break;
      }
      case "closed":
        // Dying closes it too, and dying is not an answer: the exit follows at once.
        if (output.stream === "stdout") deadline.answered();
        break;
      case "exit":
        Object.assign(ended, { exitCode: output.code, signal: output.signal, leftover: output.leftover });
        break;
      case "not-started":
        Object.assign(ended, { unreachable: true, error: output.message });
        break;
    }
  }

  try {
    // Not awaited: an agent that never reads must not keep us from reading it.
    void channel.write(`${textOf(options.send)}\n`).then(() => channel.endInput());
    for await (const outputs of channel) {
      for (const output of outputs) hear(output);
      if (transcript.full) cut();
    }
  } finally {
    deadline.clear();
    await channel.kill();
  }
  const { overtime, cancelled, lingered } = deadline;
  if (transcript.full) ended.error = "it said more than anybody would read, and was cut off";
  const durationMs = performance.now() - startedAt;
  return concludeExchange(options, transcript, { ...ended, overtime, cancelled, lingered }, durationMs);
}
