// The loop of document 002: ask, take the answer, execute, ask again, until the agent says that it is done or cannot go on.
import type { Failure } from "../../core/failure.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Heard, Seat } from "./agent/seat.ts";
import { createRequestEncoder, decodeAnswer, isIdle } from "./codec.ts";
import {
  agentGone,
  environmentFailed,
  invalidResponse,
  maxSteps,
  notStarted,
  outputClosed,
  responseTimeout,
  tooManyNoops,
} from "./errors.ts";
import type { Pause } from "./pause.ts";
import type { Snapshots } from "./record/snapshots.ts";
import type { ReportQueue } from "./report-queue.ts";
import type { StepReporter } from "./report-step.ts";
import type { TermSettings } from "./settings.ts";
import type { StepResult, StepTerminal, TypedAction } from "./terminal/step-result.ts";
import type { StepRequest, TermAnswer } from "./wire.ts";

export interface LoopOptions {
  instruction: string;
  settings: TermSettings;
  seat: Seat;
  terminal: StepTerminal;
  snapshots: Snapshots | undefined;
  reports: ReportQueue;
  reporter: StepReporter;
  pause: Pause;
  /** Aborts when the run is being stopped. */
  stop: AbortSignal;
}

export type Outcome = { step: number } & (
  | { status: "completed"; extensions?: JsonObject }
  | { status: "failed"; failure: Failure }
  | { status: "cancelled" }
);

/** Unusable answers in a row after which the run fails. */
const MAX_INVALID = 3;

export async function runSteps(loop: LoopOptions): Promise<Outcome> {
  const { settings, seat, terminal, snapshots, reports, reporter, pause, stop } = loop;
  const encode = createRequestEncoder(loop.instruction);
  let last: StepRequest = firstRequest(terminal.cwd);
  let noops = 0;
  /** True when the agent said that it is done and was asked to confirm it. */
  let confirming = false;
  /** A step that is over but not reported: that is done while the agent thinks about the next. */
  let finished: FinishedStep | undefined;

  function tell(): void {
    if (finished === undefined) return;
    const { step, action, answer, result } = finished;
    finished = undefined;
    reporter.done(step, action, answer, result);
  }

  for (let step = 1; ; step++) {
    if (step > settings.maxSteps) return failed(step - 1, maxSteps(settings.maxSteps));
    const full = reports.room();
    if (full) await full;
    if (pause.held) await pause.over();
    last.step = step;
    const asked = ask(last);
    tell();
    if (step > 1) snapshots?.afterStep(step - 1);
    const answer = await asked;
    if ("status" in answer) return answer;

    const { action, complete, rest } = answer;
    if (!isIdle(action)) noops = 0;
    else if (!complete && ++noops > settings.noopLimit) {
      reporter.thought(step, answer);
      return failed(step, tooManyNoops(noops, step));
    }
    if (action.kind === "none") {
      reporter.thought(step, answer);
      if (!complete) reporter.nothing(step, answer);
      last = nothingRequest(terminal.cwd);
    } else {
      const inTheWay = snapshots?.settled();
      if (inTheWay) await inTheWay;
      if (pause.held) await pause.over();
      const running = terminal.run(action, stop);
      reporter.thought(step, answer);
      try {
        const result = await running;
        finished = { step, action, answer, result };
        last = nextRequest(action, result);
      } catch (error) {
        return stop.aborted ? { status: "cancelled", step } : failed(step, environmentFailed(error, step));
      }
    }
    if (complete || stop.aborted || step === settings.maxSteps) tell();
    if (stop.aborted) return { status: "cancelled", step };
    if (complete && (!settings.confirmCompletion || confirming || step === settings.maxSteps)) {
      return { status: "completed", step, ...(rest && { extensions: rest }) };
    }
    confirming = complete;
    if (confirming) last.confirm_completion = true;
  }

  /** Asks for the same step again while the answer cannot be used. */
  async function ask(request: StepRequest): Promise<TermAnswer | Outcome> {
    const { step } = request;
    let heard = await seat.ask(encode(request));
    for (let invalid = 0; ;) {
      if (heard.kind !== "line" && heard.kind !== "overlong") return ended(heard, step);
      const decoded =
        heard.kind === "line"
          ? decodeAnswer(heard.text, settings.lenient)
          : { ok: false as const, problem: { rule: "line.too_long", message: "the line is too long" } };
      if (decoded.ok) {
        for (const violation of decoded.violations) reports.violation(violation);
        return decoded.answer;
      }
      if (heard.kind === "line") {
        if (heard.text !== "") reports.log("stdout", heard.text);
        reports.violation(decoded.problem);
      }
      const { message } = decoded.problem;
      if (++invalid >= MAX_INVALID) return failed(step, invalidResponse(message, invalid, step));
      const full = reports.room();
      if (full) await full;
      heard = await seat.ask(encode({ ...request, error: `${message}; ${HOW_TO_ANSWER}` }));
    }
  }

  function ended(heard: Exclude<Heard, { kind: "line" | "overlong" }>, step: number): Outcome {
    switch (heard.kind) {
      case "not-started":
        return failed(step, notStarted(heard.message, heard.reason));
      case "late":
        return failed(step, responseTimeout(settings.responseMs / 1000, step, seat.lastWords()));
      case "stopped":
        return { status: "cancelled", step };
      case "gone":
        // Many leave as soon as they have said that they are done.
        if (confirming && seat.exit?.code === 0) return { status: "completed", step: step - 1 };
        return failed(
          step,
          seat.muted ? outputClosed(step, seat.lastWords()) : agentGone(seat.exit, step, seat.lastWords()),
        );
    }
  }
}

interface FinishedStep {
  step: number;
  action: TypedAction;
  answer: TermAnswer;
  result: StepResult;
}

const HOW_TO_ANSWER =
  "answer with one JSON object on one line of stdout, and write everything else to stderr";

function failed(step: number, failure: Failure): Outcome {
  return { status: "failed", step, failure };
}

/** Returns the first request, whose fields are "null on step 1". */
function firstRequest(cwd: string): StepRequest {
  return { step: 1, last_command: null, output: null, exit_code: null, cwd };
}

/** Returns the request after a step that executed nothing, without an error. */
function nothingRequest(cwd: string): StepRequest {
  return { step: 0, last_command: null, output: "", exit_code: 0, cwd };
}

function nextRequest(
  action: TypedAction,
  { output, exitCode, cwd, truncated, outputBytes, timedOut, restarted }: StepResult,
): StepRequest {
  const request: StepRequest = {
    step: 0,
    last_command:
      action.kind === "command" ? action.command : action.keys.map((one) => one.keystrokes).join(""),
    output,
    exit_code: exitCode,
    cwd,
  };
  if (truncated) Object.assign(request, { truncated, output_bytes: outputBytes });
  if (timedOut) request.timed_out = true;
  if (restarted !== undefined) request.shell_restarted = restarted;
  return request;
}
