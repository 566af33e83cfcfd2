// Drives an ATP agent over stdin and stdout: the request is one line in, events come on stderr, the response on stdout.
// What the agent's lines mean is conversation.ts; here are its process and the ways it is stopped.
import { formatTraceparent, newSpanId } from "../../../core/trace.ts";
import type { AgentDriver, AgentReport, AgentSession, Job, StopSignals } from "../../../core/ports/driver.ts";
import { baseEnvironment } from "../../../channels/process/base-environment.ts";
import { openProcess, type ProcessChannel } from "../../../channels/process/open-process.ts";
import type { DriverSetting } from "../../protocol.ts";
import { encodeRequest } from "../codec.ts";
import { createConversation } from "./conversation.ts";

/** How long an agent may stay after its last word (its response, or the end of its output) before it is ended. */
const LINGER_MS = 2000;

export function createStdioDriver(setting: DriverSetting): AgentDriver {
  return {
    open(job, signals) {
      const channel = openProcess({
        command: job.spec.command ?? [],
        env: agentEnvironment(job, setting),
        ...(job.spec.cwd !== undefined && { cwd: job.spec.cwd }),
      });
      return {
        pause: () => channel.pause(),
        resume: () => channel.resume(),
        [Symbol.asyncIterator]: () => converse(job, channel, signals),
      } satisfies AgentSession;
    },
  };
}

async function* converse(
  job: Job,
  channel: ProcessChannel,
  signals: StopSignals,
): AsyncGenerator<AgentReport> {
  const conversation = createConversation(job);
  let lingering: NodeJS.Timeout | undefined;
  const ask = (): void => channel.signal("SIGTERM");
  const insist = (): void => void channel.kill();
  if (signals.kill.aborted) insist();
  else if (signals.cancel.aborted) ask();
  signals.cancel.addEventListener("abort", ask);
  signals.kill.addEventListener("abort", insist);
  try {
    // Not awaited: an agent that never reads must not keep us from reading it.
    void channel.write(`${oneLine(JSON.stringify(encodeRequest(job)))}\n`).then(() => channel.endInput());
    for await (const batch of channel) {
      for (const report of conversation.hear(batch)) yield report;
      if (conversation.spoken && lingering === undefined) {
        lingering = setTimeout(() => {
          conversation.lingered();
          insist();
        }, LINGER_MS);
      }
    }
    for (const report of conversation.conclude()) yield report;
  } finally {
    clearTimeout(lingering);
    signals.cancel.removeEventListener("abort", ask);
    signals.kill.removeEventListener("abort", insist);
    await channel.kill();
  }
}

/** JSON may hold these two as they are, and some readers of lines break at them. */
function oneLine(json: string): string {
  return json.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** Ours stays ours: a few harmless variables, the agent's own, the run's, and how we find its processes again. */
function agentEnvironment(job: Job, setting: DriverSetting): Record<string, string> {
  return {
    ...baseEnvironment(),
    ...job.spec.env,
    ...job.context.environment,
    TRACEPARENT: formatTraceparent({ traceId: job.traceId, spanId: newSpanId(), sampled: true }),
    PROCTOR_RUN_ID: job.runId,
    PROCTOR_HUB_ID: setting.hubId,
  };
}
