// One trial from its first request to its end: the agent's seat, its terminal, what is kept of both, and the ways it is stopped.
import { feedbackIn, feedbackText } from "../../core/feedback.ts";
import { messageOf } from "../../core/message-of.ts";
import { failure, type Failure } from "../../core/failure.ts";
import type { AgentEnd, AgentReport, AgentSession, Job, StopSignals } from "../../core/ports/driver.ts";
import type { Seat } from "./agent/seat.ts";
import { runSteps, type Outcome } from "./loop.ts";
import { createPause } from "./pause.ts";
import { createAsciicast } from "./record/asciicast.ts";
import { keepState } from "./record/keep-state.ts";
import { createScratch } from "./record/scratch.ts";
import { createSnapshots } from "./record/snapshots.ts";
import { createReportQueue, type ReportQueue } from "./report-queue.ts";
import { createStepReporter } from "./report-step.ts";
import { termSettings, type TermSettings } from "./settings.ts";
import { SCREEN } from "./terminal/pty-shell.ts";
import type { StepTerminal } from "./terminal/step-result.ts";
import { createTerminal } from "./terminal/terminal.ts";

export interface SessionOptions {
  /** Starts the agent and gives it its seat, the agent's end of the conversation; resolves with the failure when it cannot start. */
  takeSeat(place: SeatPlace): Promise<Seat | Failure>;
  /** The terminal to use instead of the job's. */
  terminal?: StepTerminal;
  /** Number of steps that a built-in agent needs, in place of the run's limit. */
  maxSteps?: number;
}

export interface SeatPlace {
  reports: ReportQueue;
  settings: TermSettings;
  /** Aborts when the run is being stopped. */
  signal: AbortSignal;
}

export function openSession(job: Job, signals: StopSignals, options: SessionOptions): AgentSession {
  const pause = createPause();
  let seat: Seat | undefined;

  async function* perform(): AsyncGenerator<AgentReport> {
    const reports = createReportQueue();
    const scratch = createScratch();
    const usual = termSettings(job);
    const settings = options.maxSteps === undefined ? usual : { ...usual, maxSteps: options.maxSteps };
    const reporter = createStepReporter(reports, settings);
    const stop = new AbortController();
    const kill = new AbortController();

    function onCancel(): void {
      stop.abort();
      pause.release();
      seat?.stop();
    }
    function onKill(): void {
      stop.abort();
      kill.abort();
      pause.release();
      seat?.kill();
    }
    signals.cancel.addEventListener("abort", onCancel);
    signals.kill.addEventListener("abort", onKill);
    if (signals.cancel.aborted) onCancel();
    if (signals.kill.aborted) onKill();

    async function work(): Promise<AgentEnd> {
      const environment = job.terminal;
      const recording = createAsciicast({
        ...SCREEN,
        title: job.task.description,
        startedAt: Date.now(),
        now: () => performance.now(),
      });
      const terminal = options.terminal ?? (environment && createTerminal(environment, settings, recording));
      if (terminal === undefined) return failedEnd(failure("INTERNAL_ERROR", "the run has no terminal"));
      const snapshots =
        environment &&
        createSnapshots({
          environment,
          policy: settings.snapshots,
          reports,
          scratch,
          redact: job.redact,
          now: () => performance.now(),
        });
      // Opened while the agent's program starts.
      if (options.maxSteps === undefined) terminal.warmUp();
      const taken = await options.takeSeat({ reports, settings, signal: stop.signal });
      if ("code" in taken) return failedEnd(taken);
      seat = taken;
      if (pause.held) seat.pause();
      if (stop.signal.aborted) seat.stop();
      const outcome = await runSteps({
        instruction: instructionOf(job),
        settings,
        seat,
        terminal,
        snapshots,
        reports,
        reporter,
        pause,
        stop: stop.signal,
      });
      const left = seat.leave(outcome.status === "completed" ? "done" : "failed");
      await keepState({
        environment,
        snapshots,
        recording,
        reports,
        step: outcome.step,
        signal: kill.signal,
      });
      await left;
      return endOf(outcome);
    }

    const done = work()
      .catch((error: unknown) => failedEnd(unexpected(error, stop.signal)))
      .then((end) => {
        reports.push({ kind: "end", end });
        reports.end();
      });
    let over = false;
    try {
      for (let batch = await reports.take(); batch !== undefined; batch = await reports.take()) {
        for (const report of batch) yield report;
      }
      over = true;
    } finally {
      if (!over) {
        reports.abandon();
        onKill();
      }
      await done;
      signals.cancel.removeEventListener("abort", onCancel);
      signals.kill.removeEventListener("abort", onKill);
      await reporter.close();
      await scratch.close();
    }
  }

  return {
    pause() {
      pause.hold();
      seat?.pause();
    },
    resume() {
      seat?.resume();
      pause.release();
    },
    [Symbol.asyncIterator]: perform,
  };
}

function endOf(outcome: Outcome): AgentEnd {
  switch (outcome.status) {
    case "completed":
      return { status: "completed", ...(outcome.extensions && { extensions: outcome.extensions }) };
    case "failed":
      return failedEnd(outcome.failure);
    case "cancelled":
      return { status: "cancelled" };
  }
}

/** Joins everything into the one text of the document. */
function instructionOf({ task, metadata }: Job): string {
  const feedback = feedbackIn(metadata);
  return feedback ? `${task.description}\n\n${feedbackText(feedback)}` : task.description;
}

function failedEnd(reason: Failure): AgentEnd {
  return { status: "failed", failure: reason };
}

function unexpected(error: unknown, stop: AbortSignal): Failure {
  if (stop.aborted) return failure("CANCELLED", "the run was stopped");
  return failure("INTERNAL_ERROR", messageOf(error));
}
