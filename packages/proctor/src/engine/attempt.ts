// Carries out one claimed run from its first report to its `run.ended`. Everything an agent can do ends up as events
// and a status here; nothing it does is an exception (invariant 3).
import { ProctorError } from "../core/errors.ts";
import { failure, type Failure } from "../core/failure.ts";
import type { Capabilities } from "../core/ports/capabilities.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { AgentDriver, AgentEnd, DriverLookup } from "../core/ports/driver.ts";
import type { Sealer } from "../core/ports/sealer.ts";
import type { ClaimedRun, NewEvent } from "../core/ports/store.ts";
import type { RunEvent } from "../core/event.ts";
import type { Redactor } from "../core/redact.ts";
import type { Question } from "../core/question.ts";
import { MAX_TIMEOUT_SECONDS, timeoutMs, type Constraints } from "../core/task.ts";
import { createAgentWork, driverFailed, type AgentWorkDeps, type Parked } from "./agent-work.ts";
import { createAttemptLog } from "./attempt-log.ts";
import { createCanary } from "./canary.ts";
import { concludeRun } from "./conclude.ts";
import { createGate } from "../core/gate.ts";
import { createGrowingRedactor } from "./growing-redactor.ts";
import { holdBlobs } from "./hold-blobs.ts";
import { createMailbox } from "./mailbox.ts";
import { createModelKey } from "./open-model.ts";
import { createRecorder } from "./recorder.ts";
import { recordTrouble } from "./record-trouble.ts";
import { openSecrets, secretsIn, secretsOfAnswers } from "./secrets.ts";
import { cancelledBecause, createStopper, type StopCause } from "./stopper.ts";
import { createTalk } from "./talk.ts";

export interface AttemptDeps extends AgentWorkDeps {
  drivers: DriverLookup;
  sealer: Sealer;
  clock: Clock;
  /** Milliseconds between asking an agent to stop and forcing it. */
  graceMs: number;
  /** Returns whether a reader follows the log of the run as it grows. */
  isFollowed: (runId: string) => boolean;
  /** Called when a question is on disk, and waits for an answer. */
  onAsked?: (runId: string, question: Question) => void;
  /** Returns a number from 0 to 1, for the jitter of retries. */
  random: () => number;
  /** Checks runs against the capabilities that they carry out; absent where the agents have none. */
  capabilities?: Capabilities;
  /** Called for a bug in a driver or a problem of the store; the run itself records what it can. */
  report: (problem: unknown, runId: string) => void;
}

/** Factor of a coordinator's grace: it waits for runs that have a grace of their own. */
const COORDINATOR_GRACE = 2;

export interface AttemptResult {
  /** Id of the run that takes over. */
  successor: string | null;
  /** Whether the run waits without an owner. */
  parked: boolean;
}

/** A run in flight. */
export interface Attempt {
  /** Resolves, never rejects, when the run has ended or can no longer be written; with the run that takes over, if any. */
  readonly done: Promise<AttemptResult>;
  stop(cause: StopCause, graceMs?: number): void;
  /** Parks the session, so that another process can continue it. */
  leave(): void;
  readonly redactor: Redactor;
  /** Reports that others have written the last `appended` events of the run's log up to this sequence. */
  mail(lastSequence: number, appended: number, events?: readonly NewEvent[]): void;
  /** Reports that this attempt has written the last `appended` events of the log up to this sequence. */
  wrote(lastSequence: number, appended: number): void;
  /** Reports that others may have written to the log, in another process. */
  look(): void;
  /** Reports that another worker has the run: the agent is stopped, and nothing more is written. */
  lose(): void;
}

export interface AttemptNotices {
  /** Called when the agent is gone, and only the run's end remains to be written. */
  onReleased: () => void;
  /** Called when the run begins, or ceases, to wait for an answer. */
  onWaiting: (waits: boolean) => void;
  /** Called when the run has used something; `written` resolves when that is on disk. */
  onSpent: (written: () => Promise<void>) => void;
  /** Resolves with why the tree of the run may spend nothing more; undefined while it may. */
  usedUp: () => Promise<Failure | undefined>;
}

export function startAttempt(deps: AttemptDeps, claimed: ClaimedRun, notices: AttemptNotices): Attempt {
  const { store, clock, graceMs } = deps;
  const { run, fence } = claimed;
  const gate = createGate();
  const asked = openSecrets(claimed, deps.sealer);
  const driver = asked && deps.drivers(asked.spec);
  const limitMs = limitOf(run.constraints, driver);
  const onTimeout = (): StopCause => timeoutCause(limitMs);
  const stopper = createStopper({
    clock,
    timeoutMs: limitMs,
    // Never zero: a coordinator tells by the grace that it is being stopped, and not only parked.
    graceMs: driver?.coordinates === true ? Math.max(1, graceMs * COORDINATOR_GRACE) : graceMs,
    onTimeout,
  });
  let isLeft = false;
  let isLost = false;
  const givenUp = new AbortController();
  const held = holdBlobs(deps.blobs);
  const canary = run.options.canary === true ? createCanary() : undefined;
  const modelKey = driver && createModelKey(driver, run.options);
  const redactor = createGrowingRedactor([
    ...(asked ? secretsIn(asked) : []),
    // Only a run that has asked questions can have received secrets as answers.
    ...(claimed.talk ? secretsOfAnswers(claimed.sealed, deps.sealer) : []),
    ...(canary ? [canary.secret] : []),
    ...(modelKey === undefined ? [] : [{ name: "LLM_API_KEY", value: modelKey }]),
  ]);
  const recorder = createRecorder({ store, runId: run.id, fence, redactor, clock });
  const log = createAttemptLog({
    run,
    talk: claimed.talk,
    recorder,
    clock,
    canary,
    maxArtifacts: deps.artifactLimits.count,
    stop: (cause) => stopper.stop(cause),
    onSpent: notices.onSpent,
  });
  const mailbox = createMailbox({
    store,
    runId: run.id,
    known: claimed.sequence,
    act,
    written: () => recorder.idle(),
    report: (problem) => deps.report(problem, run.id),
  });
  const talk = createTalk(deps, {
    claimed,
    redactor,
    canary,
    recorder,
    log,
    stopper,
    gate,
    mailRead: () => mailbox.settled(),
    onWaiting: notices.onWaiting,
    coordinates: driver?.coordinates === true,
  });
  const work =
    asked &&
    driver &&
    createAgentWork(deps, {
      claimed,
      asked,
      driver,
      modelKey,
      usedUp: notices.usedUp,
      limitMs,
      canary,
      redactor,
      recorder,
      log,
      stopper,
      gate,
      talk,
      heldBlobs: held.blobs,
    });

  async function perform(): Promise<AttemptResult> {
    try {
      const end = await Promise.race([
        work?.run() ?? secretsLost(),
        stopper.abandoned.then(() => driverFailed("the agent did not stop")),
      ]);
      await work?.closeTools();
      await log.settle();
      talk.close();
      notices.onReleased();
      if (isLost) return { successor: null, parked: false };
      if (isLeft) return await park({ parked: true });
      if ("parked" in end && stopper.cause === undefined) return await park(end);
      const last = "parked" in end ? driverFailed("the session was left while the run was stopped") : end;
      const concluded = { deps, claimed, recorder, log, canary, end: last, cause: stopper.cause };
      return { ...(await concludeRun(concluded)), parked: false };
    } catch (error) {
      if (isLost) return { successor: null, parked: false };
      stopper.stop(
        { status: "failed", failure: failure("INTERNAL_ERROR", "the run could not be recorded") },
        0,
      );
      return { successor: await recordTrouble(deps, claimed, error, givenUp.signal), parked: false };
    } finally {
      talk.close();
      stopper.close();
      await clear(() => held.release());
      await clear(async () => {
        await work?.closeTools();
        await work?.remove();
      });
    }
  }

  async function park({ checkAt }: Parked): Promise<AttemptResult> {
    const payload = checkAt === undefined ? {} : { check_at: checkAt };
    await recorder.finish({ type: "session.parked", payload });
    return { successor: null, parked: true };
  }

  /** Acts on events that others wrote into the log. */
  async function act(event: RunEvent): Promise<void> {
    switch (event.type) {
      case "run.cancel_requested":
        return stop(causeOf(event.payload));
      case "run.pause_requested":
        return pause();
      case "run.resume_requested":
        return resume();
      default:
        return talk.act(event);
    }
  }

  function stop(cause: StopCause, grace?: number): void {
    gate.open();
    givenUp.abort();
    stopper.stop(cause, grace);
  }

  async function pause(): Promise<void> {
    if (gate.closed || stopper.cause !== undefined) return;
    stopper.pause();
    gate.close();
    work?.pause();
    await log.record({ type: "run.paused", payload: {} });
    await recorder.flush();
  }

  async function resume(): Promise<void> {
    if (!gate.closed) return;
    await log.record({ type: "run.resumed", payload: {} });
    await recorder.flush();
    work?.resume();
    gate.open();
    stopper.resume();
  }

  /** Removes what can be removed now; the rest is removed when the hub starts again. */
  async function clear(remove: () => Promise<void>): Promise<void> {
    try {
      await remove();
    } catch (problem) {
      deps.report(problem, run.id);
    }
  }

  return {
    done: perform(),
    redactor,
    stop,
    leave() {
      isLeft = stopper.cause === undefined;
      stop(cancelledBecause("the hub is stopping"), 0);
    },
    mail: (lastSequence, appended, events) => mailbox.arrived(lastSequence, appended, events),
    wrote: (lastSequence, appended) => mailbox.wrote(lastSequence, appended),
    look: () => mailbox.look(),
    lose() {
      isLost = true;
      recorder.close(lost(run.id));
      stop({ status: "failed", failure: failure("INTERRUPTED", "another worker has the run") }, 0);
    },
  };
}

function causeOf({ reason, failure: failed }: { reason: string; failure?: Failure }): StopCause {
  return failed === undefined ? cancelledBecause(reason) : { status: "failed", failure: failed };
}

/** Returns the milliseconds that a run may take. A coordinator has no less time than the longest of its runs. */
function limitOf(constraints: Constraints, driver: AgentDriver | undefined): number {
  if (driver?.coordinates === true && constraints.timeout_seconds === undefined)
    return MAX_TIMEOUT_SECONDS * 1000;
  return timeoutMs(constraints, driver?.needs?.terminal);
}

function timeoutCause(limitMs: number): StopCause {
  const seconds = limitMs / 1000;
  return {
    status: "timeout",
    failure: failure("TIMEOUT", `no end after ${seconds} s`, { timeout_seconds: seconds }),
  };
}

function lost(runId: string): ProctorError {
  return new ProctorError("ILLEGAL_TRANSITION", `run ${runId} was given to another worker`, {
    details: { run_id: runId },
  });
}

function secretsLost(): AgentEnd {
  const message = "the run's environment was sealed with another key and cannot be opened";
  return { status: "failed", failure: failure("SECRETS_LOST", message) };
}
