// Carries out one claimed run from its first report to its `run.ended`. Everything an agent can do ends up as events
// and a status here; nothing it does is an exception (invariant 3).
import { failure } from "../core/failure.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { AgentEnd, DriverLookup } from "../core/ports/driver.ts";
import type { Sealer } from "../core/ports/sealer.ts";
import type { ClaimedRun } from "../core/ports/store.ts";
import { createRedactor } from "../core/redact.ts";
import { timeoutMs } from "../core/task.ts";
import { createAgentWork, driverFailed, type AgentWorkDeps } from "./agent-work.ts";
import { createAttemptLog } from "./attempt-log.ts";
import { createCanary } from "./canary.ts";
import { concludeRun } from "./conclude.ts";
import { dropBlobs } from "./drop-blobs.ts";
import { createGate } from "./gate.ts";
import { holdBlobs } from "./hold-blobs.ts";
import { createModelKey } from "./open-model.ts";
import { createRecorder } from "./recorder.ts";
import { recordTrouble } from "./record-trouble.ts";
import { openSecrets, secretsIn } from "./secrets.ts";
import { createStopper, type StopCause } from "./stopper.ts";

export interface AttemptDeps extends AgentWorkDeps {
  drivers: DriverLookup;
  sealer: Sealer;
  clock: Clock;
  /** Milliseconds between asking an agent to stop and insisting on it. */
  graceMs: number;
  /** Returns a number from 0 to 1, for the jitter of retries. */
  random: () => number;
  /** Called for a bug in a driver or a problem of the store; the run itself says what it can. */
  report: (problem: unknown, runId: string) => void;
}

/** A run in flight. */
export interface Attempt {
  /** Resolves, never rejects, when the run has ended or can no longer be written; with the run that takes over, if any. */
  readonly done: Promise<{ successor: string | null }>;
  stop(cause: StopCause, graceMs?: number): void;
  /** The text without the run's secrets. */
  redact(text: string): string;
  pause(): void;
  resume(): void;
}

/** `onReleased` is called when the agent is gone and only the run's end remains to be written. */
export function startAttempt(deps: AttemptDeps, claimed: ClaimedRun, onReleased: () => void): Attempt {
  const { store, clock, graceMs } = deps;
  const { run, fence } = claimed;
  const gate = createGate();
  const asked = openSecrets(claimed, deps.sealer);
  const driver = asked && deps.drivers(asked.spec);
  const limitMs = timeoutMs(run.constraints, driver?.needs?.terminal);
  const onTimeout = (): StopCause => timeoutCause(limitMs);
  const stopper = createStopper({ clock, timeoutMs: limitMs, graceMs, onTimeout });
  const givenUp = new AbortController();
  const held = holdBlobs(deps.blobs, (hashes) => dropBlobs(deps, hashes));
  const canary = run.options.canary === true ? createCanary() : undefined;
  const modelKey = driver && createModelKey(driver, run.options);
  const redactor = createRedactor([
    ...(asked ? secretsIn(asked) : []),
    ...(canary ? [canary.secret] : []),
    ...(modelKey === undefined ? [] : [{ name: "LLM_API_KEY", value: modelKey }]),
  ]);
  const recorder = createRecorder({ store, runId: run.id, fence, redactor, clock });
  const log = createAttemptLog({
    run,
    recorder,
    clock,
    canary,
    maxArtifacts: deps.artifactLimits.count,
    stop: (cause) => stopper.stop(cause),
  });
  const shared = { claimed, modelKey, canary, redactor, recorder, log, stopper, gate, heldBlobs: held.blobs };
  const work = asked && driver && createAgentWork(deps, { ...shared, asked, driver });

  async function perform(): Promise<{ successor: string | null }> {
    try {
      const end = await Promise.race([
        work?.run() ?? secretsLost(),
        stopper.abandoned.then(() => driverFailed("the agent did not stop")),
      ]);
      await work?.closeTools();
      await log.settle();
      onReleased();
      return await concludeRun({ deps, claimed, recorder, log, canary, end, cause: stopper.cause });
    } catch (error) {
      stopper.stop(
        { status: "failed", failure: failure("INTERNAL_ERROR", "the run could not be recorded") },
        0,
      );
      await recordTrouble(deps, claimed, error, givenUp.signal);
      return { successor: null };
    } finally {
      stopper.close();
      await clear(() => held.release());
      await clear(async () => {
        await work?.closeTools();
        await work?.remove();
      });
    }
  }

  /** What cannot be removed now is removed when the hub starts again. */
  async function clear(remove: () => Promise<void>): Promise<void> {
    try {
      await remove();
    } catch (problem) {
      deps.report(problem, run.id);
    }
  }

  return {
    done: perform(),
    redact: (text) => redactor.text(text),
    stop(cause, grace) {
      gate.open();
      givenUp.abort();
      stopper.stop(cause, grace);
    },
    pause() {
      stopper.pause();
      gate.close();
      work?.pause();
    },
    resume() {
      work?.resume();
      gate.open();
      stopper.resume();
    },
  };
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
