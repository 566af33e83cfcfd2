// Drives a program that takes a task and prints its answer. What it prints means is program-answer.ts; here are its process and the ways
// it is stopped.
import { openProcess, type ProcessChannel } from "../../channels/process/open-process.ts";
import { failure } from "../../core/failure.ts";
import type { AgentDriver, AgentReport, Job, StopSignals } from "../../core/ports/driver.ts";
import { agentProgramVariables } from "../agent-program-variables.ts";
import type { DriverOptions } from "../protocol.ts";
import { noteReport } from "../reports.ts";
import { turnsOf } from "../turns.ts";
import { tapped, type WireTap } from "../wire-tap.ts";
import { encodeProgram, takesHistory, type ProgramInput } from "./codec.ts";
import { checkTextAgent, readTextOptions } from "./options.ts";
import { createProgramAnswer } from "./program-answer.ts";

/** Milliseconds that a program may stay after it closed its output before it is ended. */
const LINGER_MS = 2000;
const UNTOLD =
  "the program was not told what was said before: put {history} into its command line, or set options.input to json";

export interface TextDriverOptions extends Pick<DriverOptions, "hubId"> {
  /** Characters of the longest answer. */
  maxAnswerChars?: number;
}

export function createTextDriver(options: TextDriverOptions): AgentDriver {
  return {
    talks: { follows: true },
    open(job, signals) {
      let channel: ProcessChannel | undefined;
      return {
        pause: () => channel?.pause(),
        resume: () => channel?.resume(),
        ...tapped(job, (tap) => converse(job, signals, options, tap, (opened) => (channel = opened))),
      };
    },
  };
}

async function* converse(
  job: Job,
  signals: StopSignals,
  { hubId, maxAnswerChars }: TextDriverOptions,
  tap: WireTap | undefined,
  onOpened: (channel: ProcessChannel) => void,
): AsyncGenerator<AgentReport> {
  const checked = readTextOptions(job.spec.options ?? {});
  const [wrong] = checkTextAgent(job.spec.options ?? {}, job.spec);
  if (!checked.ok || wrong)
    return yield refused(`${wrong?.message}${wrong?.hint === undefined ? "" : `\n${wrong.hint}`}`);
  const takes = takesHistory(job, checked.value);
  if (job.conversation && !takes) yield noteReport(UNTOLD);
  const program = encodeProgram(job, checked.value, takes ? await turnsOf(job) : []);
  if (program.command.some((word) => word.includes("\0"))) {
    return yield refused(
      "the task has a NUL character, which no argument can hold: leave {task} out, and it comes on stdin",
    );
  }
  if (signals.cancel.aborted || signals.kill.aborted)
    return yield { kind: "end", end: { status: "cancelled" } };
  const channel = start(job, program, hubId);
  onOpened(channel);
  const answer = createProgramAnswer(maxAnswerChars);
  let stay: NodeJS.Timeout | undefined;
  const ask = (): void => {
    tap?.sent("close", "", { name: "cancel" });
    channel.signal("SIGTERM");
  };
  const insist = (): void => void channel.kill();
  const overstayed = (): void => {
    answer.lingered();
    void channel.kill();
  };
  signals.cancel.addEventListener("abort", ask);
  signals.kill.addEventListener("abort", insist);
  try {
    tap?.sent("stdin", program.stdin);
    // Not awaited: a program that never reads must not keep us from reading it.
    void channel.write(program.stdin).then(() => channel.endInput());
    for await (const batch of channel) {
      for (const report of answer.hear(batch)) yield report;
      if (answer.overflowed) break;
      if (answer.spoken) stay ??= setTimeout(overstayed, LINGER_MS);
    }
    await channel.kill();
    for (const report of answer.conclude(signals.cancel.aborted || signals.kill.aborted)) yield report;
  } finally {
    clearTimeout(stay);
    signals.cancel.removeEventListener("abort", ask);
    signals.kill.removeEventListener("abort", insist);
    await channel.kill();
  }
}

function start(job: Job, { command }: ProgramInput, hubId: string): ProcessChannel {
  const { spec, environment } = job;
  return openProcess({
    command,
    env: agentProgramVariables(job, spec.command ?? [], hubId),
    pieces: true,
    ...(spec.cwd !== undefined && { cwd: spec.cwd }),
    ...(environment && { spawn: (program) => environment.start(program) }),
  });
}

function refused(message: string): AgentReport {
  return { kind: "end", end: { status: "failed", failure: failure("INVALID_REQUEST", message) } };
}
