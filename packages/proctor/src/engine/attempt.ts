// Carries out one claimed run from its first report to its `run.ended`. Everything an agent can do ends up as events
// and a status here; nothing it does is an exception (invariant 3).
import { messageOf } from "../core/message-of.ts";
import type { ArtifactLimits } from "../core/artifact.ts";
import { failure, type Failure } from "../core/failure.ts";
import type { BlobStore } from "../core/ports/blob-store.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { AgentDriver, AgentEnd, AgentSession, DriverLookup, Job } from "../core/ports/driver.ts";
import type { Sealer } from "../core/ports/sealer.ts";
import type { ClaimedRun, Store } from "../core/ports/store.ts";
import type { Workspace } from "../core/ports/workspaces.ts";
import { createRedactor } from "../core/redact.ts";
import { timeoutMs } from "../core/task.ts";
import { unlessAborted } from "../core/unless-aborted.ts";
import { createArtifactBudget } from "./artifact-budget.ts";
import { createCanary } from "./canary.ts";
import { openCollection } from "./collect-files.ts";
import { concludeRun } from "./conclude.ts";
import { dropBlobs } from "./drop-blobs.ts";
import { createGate } from "./gate.ts";
import { holdBlobs } from "./hold-blobs.ts";
import type { KeepDeps } from "./keep-artifact.ts";
import { createModelKey } from "./open-model.ts";
import { placeInputs } from "./place-inputs.ts";
import { readSnapshot } from "./read-snapshot.ts";
import { createRecorder } from "./recorder.ts";
import { recordTrouble } from "./record-trouble.ts";
import { openSecrets, secretsIn, type Asked } from "./secrets.ts";
import { createStopper, type StopCause } from "./stopper.ts";
import { prepareSurroundings, type Surroundings, type SurroundingsDeps } from "./surroundings.ts";
import { createAttemptLog } from "./attempt-log.ts";

export interface AttemptDeps extends SurroundingsDeps {
  store: Store;
  blobs: BlobStore;
  drivers: DriverLookup;
  sealer: Sealer;
  clock: Clock;
  graceMs: number;
  artifactLimits: ArtifactLimits;
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
  /** The text without the run's secrets. */
  redact(text: string): string;
  pause(): void;
  resume(): void;
}

/** `onReleased` is called when the agent is gone and only the run's end remains to be written. */
export function startAttempt(deps: AttemptDeps, claimed: ClaimedRun, onReleased: () => void): Attempt {
  const { clock, graceMs } = deps;
  const { run } = claimed;
  const gate = createGate();
  const asked = openSecrets(claimed, deps.sealer);
  const driver = asked && deps.drivers(asked.spec);
  const limitMs = timeoutMs(run.constraints, driver?.needs?.terminal);
  const stopper = createStopper({
    clock,
    timeoutMs: limitMs,
    graceMs,
    onTimeout: () => timeoutCause(limitMs),
  });
  const givenUp = new AbortController();
  const held = holdBlobs(deps.blobs, (hashes) => dropBlobs(deps, hashes));
  const budget = createArtifactBudget(deps.artifactLimits);
  let session: AgentSession | undefined;
  let surroundings: Surroundings | undefined;
  const canary = run.options.canary === true ? createCanary() : undefined;
  const modelKey = driver && createModelKey(driver, run.options);
  const redactor = createRedactor([
    ...(asked ? secretsIn(asked) : []),
    ...(canary ? [canary.secret] : []),
    ...(modelKey === undefined ? [] : [{ name: "LLM_API_KEY", value: modelKey }]),
  ]);

  const hide = redactor.active
    ? (content: Uint8Array): Uint8Array => redactor.bytes(content) ?? content
    : undefined;

  async function perform(): Promise<{ successor: string | null }> {
    const { store } = deps;
    const recorder = createRecorder({ store, runId: run.id, fence: claimed.fence, redactor, clock });
    const { count: maxArtifacts } = deps.artifactLimits;
    const stop = (cause: StopCause): void => stopper.stop(cause);
    const log = createAttemptLog({ run, recorder, clock, canary, maxArtifacts, stop });

    async function prepare(
      { spec, context, options }: Asked,
      by: AgentDriver,
    ): Promise<Surroundings | Failure> {
      const environment = canary && { ...context.environment, [canary.secret.name]: canary.secret.value };
      const prepared = await prepareSurroundings(deps, {
        run,
        spec,
        driver: by,
        context: environment ? { ...context, environment } : context,
        options,
        modelKey,
        redact: (text) => redactor.text(text),
        ...(hide && { redactBytes: hide }),
        onCall: (call) => log.observe(call),
        onModelCall: (call) => log.observeModel(call),
        place: ({ path }) => placeInputs(run, path, deps.blobs, stopper.signals.cancel),
        readSnapshot: (from) => readSnapshot(deps, from),
        signal: stopper.signals.cancel,
      });
      for (const payload of run.options.request_violations ?? []) {
        await recorder.push({ type: "violation", payload });
      }
      return prepared;
    }

    async function sayKept({ path }: Workspace): Promise<void> {
      const { keep, hold } = run.options.workspace ?? {};
      if (keep !== true && hold !== true) return;
      const until = keep === true ? {} : { until: "judged" as const };
      await recorder.push({ type: "workspace.kept", payload: { path, ...until } });
    }

    /** What a terminal left may be too much, or take too long. */
    async function bringBack(from: Surroundings): Promise<void> {
      try {
        await unlessAborted(from.bringBack(), stopper.work);
      } catch (error) {
        const why = messageOf(error);
        const text = `the terminal's files were not brought into the workspace: ${why}`;
        await log.record({ type: "log", payload: { stream: "platform", text } });
      }
    }

    async function consume(): Promise<AgentEnd> {
      if (asked === undefined || driver === undefined) return secretsLost();
      // A build takes its time, and has a limit of its own.
      stopper.pause("preparing");
      const prepared = await prepare(asked, driver);
      if ("code" in prepared) return { status: "failed", failure: prepared };
      surroundings = prepared;
      stopper.resume("preparing");
      for (const payload of surroundings.places) await recorder.push({ type: "environment.opened", payload });
      const { workspace, folder } = surroundings;
      if (workspace) await sayKept(workspace);
      const keepDeps: KeepDeps = {
        blobs: held.blobs,
        redactor,
        canary,
        workspace,
        budget,
        signal: stopper.work,
      };
      log.expectTools(surroundings.toolNames);
      const files = await openCollection(run.options.workspace ?? {}, folder);
      session = driver.open(jobOf(claimed, asked, surroundings, hide), stopper.signals);
      if (gate.closed) session.pause?.();
      let end: AgentEnd | undefined;
      for await (const report of session) {
        if (gate.closed) await gate.opened();
        if (report.kind === "end") {
          end ??= report.end;
          continue;
        }
        const full = report.kind === "event" ? log.record(report.event) : log.keep(report.artifact, keepDeps);
        if (full) await full;
      }
      await bringBack(surroundings);
      await files.collect(log, keepDeps);
      return end ?? driverFailed("the driver ended without saying how");
    }

    try {
      const end = await Promise.race([
        consume(),
        stopper.abandoned.then(() => driverFailed("the agent did not stop")),
      ]);
      await surroundings?.closeTools();
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
        await surroundings?.closeTools();
        await surroundings?.remove();
      });
    }
  }

  /** What cannot be removed is swept when the hub starts again. */
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
      session?.pause?.();
    },
    resume() {
      session?.resume?.();
      gate.open();
      stopper.resume();
    },
  };
}

function jobOf(
  { run }: ClaimedRun,
  { spec, task, metadata }: Asked,
  { context, environment, terminal, env, folder }: Surroundings,
  redact: Job["redact"],
): Job {
  const { id, constraints, trace_id, options } = run;
  return {
    runId: id,
    // A program that nobody gave a directory runs in its workspace, not in the hub's own folder.
    spec: spec.command && spec.cwd === undefined && folder ? { ...spec, cwd: folder.path } : spec,
    task,
    constraints,
    context,
    metadata,
    traceId: trace_id,
    options,
    env,
    ...(environment && { environment }),
    ...(terminal && { terminal }),
    ...(redact && { redact }),
    ...(options.record === true && { record: true }),
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

function driverFailed(message: string): AgentEnd {
  return { status: "failed", failure: failure("INTERNAL_ERROR", message) };
}
