// Drives a terminal agent: its program here or in an environment of its own, or one that is built in. The steps are loop.ts, their
// surroundings session.ts.
import { baseEnvironment } from "../../channels/process/base-environment.ts";
import { openProcess } from "../../channels/process/open-process.ts";
import type { AgentDriver, AgentSession, Job, StopSignals } from "../../core/ports/driver.ts";
import type { Failure } from "../../core/failure.ts";
import { agentProgramVariables } from "../agent-program-variables.ts";
import type { DriverOptions } from "../protocol.ts";
import { builtinAnswers, createBuiltinSeat } from "./agent/builtin.ts";
import { agentCommand } from "./agent/command.ts";
import { createProcessSeat } from "./agent/process-seat.ts";
import type { Seat } from "./agent/seat.ts";
import { createAlarm, type CreateAlarm } from "./alarm.ts";
import { openSession, type SeatPlace } from "./session.ts";
import { createWireNotes } from "./wire-notes.ts";

export interface TermDriverOptions {
  /** Measures the time that an agent has for an answer and for its exit. */
  createAlarm?: CreateAlarm;
}

export function createTermDriver(options: DriverOptions & TermDriverOptions): AgentDriver {
  return {
    needs: { terminal: true, model: true },
    open: (job, signals) =>
      job.spec.transport === "builtin"
        ? openBuiltin(job, signals)
        : openSession(job, signals, { takeSeat: (place) => seatProgram(job, options, place) }),
  };
}

function openBuiltin(job: Job, signals: StopSignals): AgentSession {
  const answers = builtinAnswers(job);
  return openSession(job, signals, {
    takeSeat: ({ reports }) =>
      Promise.resolve(
        "code" in answers ? answers : createBuiltinSeat(answers, createWireNotes(job, reports)),
      ),
    ...(!("code" in answers) && { maxSteps: answers.length }),
  });
}

async function seatProgram(
  job: Job,
  options: DriverOptions & TermDriverOptions,
  { reports, settings, signal }: SeatPlace,
): Promise<Seat | Failure> {
  const { environment, spec } = job;
  const path = spec.env?.["PATH"] ?? baseEnvironment()["PATH"];
  const found = await agentCommand(spec, { elsewhere: environment !== undefined, path, signal });
  if ("code" in found) return found;
  const channel = openProcess({
    command: found.command,
    env: agentProgramVariables(job, found.command, options.hubId),
    ...(spec.cwd !== undefined && { cwd: spec.cwd }),
    ...(environment && { spawn: (program) => environment.start(program) }),
  });
  return createProcessSeat({
    channel,
    reports,
    notes: createWireNotes(job, reports),
    createAlarm: options.createAlarm ?? createAlarm,
    responseMs: settings.responseMs,
    lenient: settings.lenient,
    elsewhere: environment !== undefined,
    ...(found.advice !== undefined && { advice: found.advice }),
  });
}
