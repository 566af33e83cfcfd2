// Drives an ATP agent over stdin and stdout: the request is one line in, events come on stderr, the response on stdout.
// What the agent's lines mean is conversation.ts; here are its process and the ways it is stopped.
import type { AgentDriver, AgentReport, AgentSession, Job, StopSignals } from "../../../core/ports/driver.ts";
import {
  openProcess,
  type ProcessChannel,
  type ProcessOptions,
} from "../../../channels/process/open-process.ts";
import { agentProgramVariables } from "../../agent-program-variables.ts";
import { oneLine } from "../../one-line.ts";
import type { DriverOptions } from "../../protocol.ts";
import { tapped, type WireTap } from "../../wire-tap.ts";
import { encodeRequest } from "../codec.ts";
import { createConversation } from "./conversation.ts";
import { noteOutput } from "./note-output.ts";

/** Milliseconds that an agent may stay after its response, or the end of its output, before it is ended. */
const LINGER_MS = 2000;

export interface StdioDriverOptions extends Pick<DriverOptions, "hubId"> {
  /** Opens the channel of the agent's lines; a process when absent. */
  start?: (options: ProcessOptions) => ProcessChannel;
  /**
   * Calls back when an agent has stayed too long after its last message; after two seconds when absent. Returns the function that stops the timer.
   */
  linger?: (expired: () => void) => () => void;
}

export function createStdioDriver(options: StdioDriverOptions): AgentDriver {
  const { hubId, start = openProcess, linger = lingerAWhile } = options;
  return {
    open(job, signals) {
      const { environment } = job;
      const command = job.spec.command ?? [];
      const channel = start({
        command,
        env: agentProgramVariables(job, command, hubId),
        ...(job.spec.cwd !== undefined && { cwd: job.spec.cwd }),
        ...(environment && { spawn: (program) => environment.start(program) }),
      });
      return {
        pause: () => channel.pause(),
        resume: () => channel.resume(),
        ...tapped(job, (tap) => converse(job, channel, signals, linger, tap)),
      } satisfies AgentSession;
    },
  };
}

async function* converse(
  job: Job,
  channel: ProcessChannel,
  signals: StopSignals,
  linger: NonNullable<StdioDriverOptions["linger"]>,
  tap: WireTap | undefined,
): AsyncGenerator<AgentReport> {
  const conversation = createConversation(job);
  let stopLingering: (() => void) | undefined;
  const ask = (): void => {
    tap?.sent("close", "", { name: "cancel" });
    channel.signal("SIGTERM");
  };
  const insist = (): void => {
    tap?.sent("close", "", { name: "kill" });
    void channel.kill();
  };
  const overstayed = (): void => {
    tap?.sent("close", "", { name: "lingered" });
    conversation.lingered();
    void channel.kill();
  };
  if (signals.kill.aborted) insist();
  else if (signals.cancel.aborted) ask();
  signals.cancel.addEventListener("abort", ask);
  signals.kill.addEventListener("abort", insist);
  try {
    // Not awaited: an agent that never reads must not keep us from reading it.
    const request = oneLine(JSON.stringify(encodeRequest(job)));
    tap?.sent("stdin", request);
    void channel.write(`${request}\n`).then(() => channel.endInput());
    for await (const batch of channel) {
      if (tap) {
        for (const output of batch) noteOutput(output, tap);
        for (const message of tap.take()) yield message;
      }
      for (const report of conversation.hear(batch)) yield report;
      if (conversation.spoken) stopLingering ??= linger(overstayed);
    }
    for (const report of conversation.conclude()) yield report;
  } finally {
    stopLingering?.();
    signals.cancel.removeEventListener("abort", ask);
    signals.kill.removeEventListener("abort", insist);
    await channel.kill();
  }
}

function lingerAWhile(expired: () => void): () => void {
  const timer = setTimeout(expired, LINGER_MS);
  return () => clearTimeout(timer);
}
