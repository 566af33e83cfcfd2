// What an agent does in one attempt: its surroundings are made, its session is opened, and every report goes to the log until the agent
// ends. How the run ends, and when the agent is stopped, is left to attempt.ts.
import type { ArtifactLimits } from "../core/artifact.ts";
import { failure, type Failure } from "../core/failure.ts";
import { messageOf } from "../core/message-of.ts";
import type { AgentDriver, AgentEnd, AgentReport, AgentSession, Job } from "../core/ports/driver.ts";
import type { Sealer } from "../core/ports/sealer.ts";
import type { RunBlobs, RunStore } from "../core/ports/run-store.ts";
import type { ClaimedRun } from "../core/ports/store.ts";
import type { Workspace } from "../core/ports/workspaces.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { GrowingRedactor } from "./growing-redactor.ts";
import { unlessAborted } from "../core/unless-aborted.ts";
import { createArtifactBudget } from "./artifact-budget.ts";
import type { AttemptLog } from "./attempt-log.ts";
import type { Canary } from "./canary.ts";
import { openCollection } from "./collect-files.ts";
import type { Gate } from "../core/gate.ts";
import type { KeepDeps } from "./keep-artifact.ts";
import { placeInputs } from "./place-inputs.ts";
import { readSnapshot } from "./read-snapshot.ts";
import type { Recorder } from "./recorder.ts";
import type { Asked } from "./secrets.ts";
import { cancelledBecause, type Stopper } from "./stopper.ts";
import { conversationOf, type JobConversation } from "./job-conversation.ts";
import type { Talk } from "./talk.ts";
import { prepareSurroundings, type Surroundings, type SurroundingsDeps } from "./surroundings.ts";

export interface AgentWorkDeps extends SurroundingsDeps {
  store: RunStore;
  blobs: RunBlobs;
  sealer: Sealer;
  artifactLimits: ArtifactLimits;
  clock: Clock;
}

/** Milliseconds for which a run's token is good beyond the run's limit: a run that is paused takes longer. Its end ends the token anyway. */
const AFTER_LIMIT_MS = 3_600_000;

interface AgentWorkOptions {
  claimed: ClaimedRun;
  /** The request of the run, with its secrets. */
  asked: Asked;
  driver: AgentDriver;
  /** Key of the run's model; undefined when the agent gets no model. */
  modelKey: string | undefined;
  /** Resolves with why no model is called any more, though the run is within its own limits. */
  usedUp: () => Promise<Failure | undefined>;
  canary: Canary | undefined;
  /** Milliseconds that the run may take. */
  limitMs: number;
  redactor: GrowingRedactor;
  recorder: Recorder;
  log: AttemptLog;
  stopper: Stopper;
  gate: Gate;
  talk: Talk;
  /** Stores bytes, and keeps them until their records are on disk. */
  heldBlobs: Pick<RunBlobs, "put">;
}

/** The session is parked: it continues without this process, which holds nothing of it. */
export interface Parked {
  parked: true;
  checkAt?: string;
}

type OrdinaryReport = Exclude<AgentReport, { kind: "end" | "parked" }>;

export interface AgentWork {
  /** Resolves with how the agent ended, or that it was parked. Rejects for a bug in a driver or a problem of the store. */
  run(): Promise<AgentEnd | Parked>;
  pause(): void;
  resume(): void;
  /** Closes the endpoints of the run's tools and model. */
  closeTools(): Promise<void>;
  /** Removes the run's workspace and environments, unless its options keep them. */
  remove(): Promise<void>;
}

export function createAgentWork(deps: AgentWorkDeps, options: AgentWorkOptions): AgentWork {
  const { claimed, asked, driver, redactor, recorder, log, stopper, gate, talk } = options;
  const { run } = claimed;
  const budget = createArtifactBudget(deps.artifactLimits);
  // Only programs have variables.
  const access =
    asked.spec.command !== undefined && deps.access?.isNeeded() === true ? deps.access : undefined;
  const hide =
    redactor.active || access
      ? (content: Uint8Array): Uint8Array => redactor.bytes(content) ?? content
      : undefined;
  let session: AgentSession | undefined;
  let surroundings: Surroundings | undefined;

  async function openAccess(): Promise<Record<string, string>> {
    if (access === undefined) return {};
    const { url, token } = await access.open(
      run.id,
      run.agent,
      deps.clock.now() + options.limitMs + AFTER_LIMIT_MS,
    );
    redactor.add([{ name: "PROCTOR_RUN_TOKEN", value: token }]);
    return { PROCTOR_URL: url, PROCTOR_RUN_TOKEN: token };
  }

  async function prepare(): Promise<Surroundings | Failure | "no room"> {
    const prepared = await prepareSurroundings(deps, {
      run,
      spec: asked.spec,
      driver,
      context: withCanary(asked.context, options.canary),
      options: asked.options,
      resumed: claimed.talk !== undefined,
      modelKey: options.modelKey,
      openAccess,
      redact: (text) => redactor.text(text),
      ...(hide && { redactBytes: hide }),
      onCall: (call) => log.observe(call),
      onModelCall: (call) => log.observeModel(call),
      usedUp: options.usedUp,
      place: ({ path }) => placeInputs(run, path, deps.blobs, stopper.signals.cancel),
      readSnapshot: (from) => readSnapshot(deps, from),
      signals: stopper.signals,
    });
    // Nothing was begun: another worker may have room for the run.
    if ("code" in prepared && deps.room?.full() !== undefined) return "no room";
    for (const payload of run.options.request_violations ?? []) {
      await recorder.push({ type: "violation", payload });
    }
    return prepared;
  }

  async function recordSurroundings({ places, workspace, toolNames }: Surroundings): Promise<void> {
    for (const payload of places) await recorder.push({ type: "environment.opened", payload });
    if (workspace) await recordKept(workspace);
    log.expectTools(toolNames);
  }

  async function recordKept({ path }: Workspace): Promise<void> {
    const { keep, hold } = run.options.workspace ?? {};
    if (keep !== true && hold !== true) return;
    const until = keep === true ? {} : { until: "judged" as const };
    await recorder.push({ type: "workspace.kept", payload: { path, ...until } });
  }

  function take(report: OrdinaryReport, keepDeps: KeepDeps): Promise<void> | undefined {
    switch (report.kind) {
      case "event":
        return talk.before(report) ?? log.record(report.event);
      case "artifact":
        void talk.before(report);
        return log.keep(report.artifact, keepDeps);
      default:
        return talk.take(report, (artifact, id) => log.keep(artifact, keepDeps, id));
    }
  }

  async function readReports(from: AgentSession, keepDeps: KeepDeps): Promise<AgentEnd | Parked | undefined> {
    let end: AgentEnd | undefined;
    let parked: Parked | undefined;
    for await (const report of from) {
      if (gate.closed) await gate.opened();
      if (report.kind === "end") {
        end ??= report.end;
        continue;
      }
      if (report.kind === "parked") {
        parked ??= { parked: true, ...(report.checkAt !== undefined && { checkAt: report.checkAt }) };
        continue;
      }
      const full = take(report, keepDeps);
      if (full) await full;
    }
    return end ?? parked;
  }

  /** The terminal's files may be too many, or take too long to copy. */
  async function bringBack(copy: () => Promise<void>): Promise<void> {
    try {
      await unlessAborted(copy(), stopper.work.signal);
    } catch (error) {
      const text = `the terminal's files were not brought into the workspace: ${messageOf(error)}`;
      await log.record({ type: "log", payload: { stream: "platform", text } });
    }
  }

  return {
    async run() {
      // A build takes its time, and has a limit of its own.
      stopper.pause("preparing");
      const prepared = await prepare();
      if (prepared === "no room") return { parked: true };
      if ("code" in prepared) return { status: "failed", failure: prepared };
      surroundings = prepared;
      stopper.resume("preparing");
      await recordSurroundings(prepared);
      const { workspace, folder } = prepared;
      const { canary, heldBlobs: blobs } = options;
      const keepDeps = { blobs, redactor, canary, workspace, budget, work: stopper.work };
      const files = await openCollection(run.options.workspace ?? {}, folder);
      const conversation = await conversationOf(deps, claimed);
      if ("code" in conversation) return { status: "failed", failure: conversation };
      const job = jobOf(claimed, asked, prepared, { conversation, redact: hide });
      session = driver.open(job, stopper.signals);
      talk.opened(session);
      if (gate.closed) session.pause?.();
      if (job.resume?.cancel === true) stopper.stop(cancelledBecause(claimed.talk?.cancel));
      const end = await readReports(session, keepDeps);
      await talk.end();
      if (prepared.bringBack) await bringBack(prepared.bringBack);
      if (end !== undefined && "parked" in end) return end;
      await files.collect(log, keepDeps);
      return end ?? driverFailed("the driver ended without saying how");
    },
    pause: () => session?.pause?.(),
    resume: () => session?.resume?.(),
    async closeTools() {
      await surroundings?.closeTools();
    },
    async remove() {
      await surroundings?.remove();
    },
  };
}

export function driverFailed(message: string): AgentEnd {
  return { status: "failed", failure: failure("INTERNAL_ERROR", message) };
}

function withCanary(context: Asked["context"], canary: Canary | undefined): Asked["context"] {
  if (canary === undefined) return context;
  const { name, value } = canary.secret;
  return { ...context, environment: { ...context.environment, [name]: value } };
}

function jobOf(
  { run }: ClaimedRun,
  { spec, task, metadata }: Asked,
  { context, environment, terminal, env, folder }: Surroundings,
  { conversation, redact }: { conversation: JobConversation; redact: Job["redact"] },
): Job {
  const { id, constraints, trace_id, options } = run;
  return {
    runId: id,
    // A program without a directory of its own runs in its workspace, not in the hub's folder.
    spec: spec.command && spec.cwd === undefined && folder ? { ...spec, cwd: folder.path } : spec,
    task,
    constraints,
    context,
    metadata,
    traceId: trace_id,
    options,
    env,
    ...conversation,
    ...(environment && { environment }),
    ...(terminal && { terminal }),
    ...(redact && { redact }),
    ...(options.record === true && { record: true }),
  };
}
