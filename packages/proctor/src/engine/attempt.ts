// Carries out one claimed run from its first report to its `run.ended`. Everything an agent can do ends up as events
// and a status here; nothing it does is an exception (invariant 3).
import { MAX_ARTIFACTS } from "../core/artifact.ts";
import type { EventDraft } from "../core/event.ts";
import { failure } from "../core/failure.ts";
import { applyEvent, type RunState } from "../core/fold.ts";
import type { BlobStore } from "../core/ports/blob-store.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { AgentEnd, AgentReport, AgentSession, DriverLookup } from "../core/ports/driver.ts";
import type { Sealer } from "../core/ports/sealer.ts";
import type { ClaimedRun, Store } from "../core/ports/store.ts";
import { createRedactor } from "../core/redact.ts";
import { timeoutMs } from "../core/task.ts";
import { concludeRun } from "./conclude.ts";
import { createGate } from "./gate.ts";
import { keepArtifact } from "./keep-artifact.ts";
import { exceededLimit } from "./limits.ts";
import { createRecorder } from "./recorder.ts";
import { recordTrouble } from "./record-trouble.ts";
import { openSecrets, type Opened } from "./secrets.ts";
import { createStopper, type StopCause } from "./stopper.ts";

export interface AttemptDeps {
  store: Store;
  blobs: BlobStore;
  drivers: DriverLookup;
  sealer: Sealer;
  clock: Clock;
  graceMs: number;
  /** 0 to 1: the jitter of retries. */
  random: () => number;
  /** Something that is a bug in a driver or a trouble with the store; the run itself says what it can. */
  report: (problem: unknown, runId: string) => void;
}

/** A run in flight. */
export interface Attempt {
  /** Resolves, never rejects, when the run has ended or can no longer be written; with the run that takes over, if any. */
  readonly done: Promise<{ successor: string | null }>;
  stop(cause: StopCause, graceMs?: number): void;
  pause(): void;
  resume(): void;
}

/** `onReleased` is called when the agent is gone and only the run's end remains to be written. */
export function startAttempt(deps: AttemptDeps, claimed: ClaimedRun, onReleased: () => void): Attempt {
  const { clock, graceMs } = deps;
  const { run } = claimed;
  const gate = createGate();
  const stopper = createStopper({
    clock,
    timeoutMs: timeoutMs(run.constraints),
    graceMs,
    onTimeout: () => timeoutCause(timeoutMs(run.constraints)),
  });
  const givenUp = new AbortController();
  let session: AgentSession | undefined;

  async function perform(): Promise<{ successor: string | null }> {
    const opened = openSecrets(claimed, deps.sealer);
    const redactor = createRedactor(opened?.secrets ?? []);
    const recorder = createRecorder({
      store: deps.store,
      runId: run.id,
      fence: claimed.fence,
      redactor,
      clock,
    });
    let state: RunState = { run, openCalls: [] };

    function record(draft: EventDraft): Promise<void> | undefined {
      const before = state.run.metrics;
      state = applyEvent(state, run.id, draft, clock.now());
      if (state.run.metrics !== before) {
        const excess = exceededLimit(state.run.metrics, run.constraints);
        if (excess) stopper.stop({ status: "failed", failure: excess });
      }
      return recorder.push(draft);
    }

    async function keep(report: AgentReport & { kind: "artifact" }): Promise<void> {
      if (state.run.artifacts.length >= MAX_ARTIFACTS) {
        const message = `a run keeps at most ${MAX_ARTIFACTS} artifacts`;
        return record({ type: "violation", payload: { rule: "artifact.count", message } });
      }
      const { artifact, violations } = await keepArtifact(report.artifact, deps.blobs, redactor);
      for (const violation of violations) await record({ type: "violation", payload: violation });
      await record({ type: "artifact.added", payload: { artifact } });
    }

    async function consume(): Promise<AgentEnd> {
      if (opened === undefined) return secretsLost();
      session = openSession(deps, claimed, opened, stopper.signals);
      if (gate.closed) session.pause?.();
      let end: AgentEnd | undefined;
      for await (const report of session) {
        if (gate.closed) await gate.opened();
        if (report.kind === "end") {
          end ??= report.end;
          continue;
        }
        const full = report.kind === "event" ? record(report.event) : keep(report);
        if (full) await full;
      }
      return end ?? driverFailed("the driver ended without saying how");
    }

    try {
      const end = await Promise.race([
        consume(),
        stopper.abandoned.then(() => driverFailed("the agent did not stop")),
      ]);
      onReleased();
      return await concludeRun({ deps, claimed, recorder, state, end, cause: stopper.cause });
    } catch (error) {
      stopper.stop(
        { status: "failed", failure: failure("INTERNAL_ERROR", "the run could not be recorded") },
        0,
      );
      await recordTrouble(deps, claimed, error, givenUp.signal);
      return { successor: null };
    } finally {
      stopper.close();
    }
  }

  return {
    done: perform(),
    stop(cause, grace) {
      gate.open();
      givenUp.abort();
      stopper.stop(cause, grace);
    },
    pause() {
      stopper.pause();
      gate.close();
      session?.pause?.();
    },
    resume() {
      session?.resume?.();
      gate.open();
      stopper.resume();
    },
  };
}

function openSession(
  deps: AttemptDeps,
  claimed: ClaimedRun,
  opened: Opened,
  signals: Parameters<ReturnType<DriverLookup>["open"]>[1],
): AgentSession {
  const { id, task, constraints, metadata, trace_id } = claimed.run;
  const { spec, context } = opened;
  return deps
    .drivers(spec)
    .open({ runId: id, spec, task, constraints, context, metadata, traceId: trace_id }, signals);
}

function timeoutCause(limitMs: number): StopCause {
  const seconds = limitMs / 1000;
  return {
    status: "timeout",
    failure: failure("TIMEOUT", `no end after ${seconds} s`, { timeout_seconds: seconds }),
  };
}

function secretsLost(): AgentEnd {
  const message = "the run's environment was sealed with another key and cannot be opened";
  return { status: "failed", failure: failure("SECRETS_LOST", message) };
}

function driverFailed(message: string): AgentEnd {
  return { status: "failed", failure: failure("INTERNAL_ERROR", message) };
}
