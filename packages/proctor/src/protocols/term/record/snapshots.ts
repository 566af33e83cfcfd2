// When the state of the terminal's files is kept: while the agent thinks, as the run's options say, and never so that anybody waits
// long for it.
import { messageOf } from "../../../core/message-of.ts";
import type { EnvironmentOptions } from "../../../core/environment.ts";
import type { Environment } from "../../../core/ports/environments.ts";
import { snapshotPath } from "../../../core/snapshot-name.ts";
import type { ReportQueue } from "../report-queue.ts";
import type { Scratch } from "./scratch.ts";

export interface Snapshots {
  /** Called when a step is over, while the agent thinks about the next. */
  afterStep(step: number): void;
  /** Resolves when the next command may run; undefined when it may run at once. */
  settled(): Promise<void> | undefined;
  /** Takes the final snapshot. Resolves with the problem, if there was one. */
  last(step: number, signal: AbortSignal): Promise<string | undefined>;
}

export interface SnapshotsOptions {
  environment: Environment;
  policy: NonNullable<EnvironmentOptions["snapshots"]>;
  reports: ReportQueue;
  scratch: Scratch;
  redact: ((content: Uint8Array) => Uint8Array) | undefined;
  now: () => number;
}

const MAX_SNAPSHOT_BYTES = 512 * 1024 * 1024;
/** The most snapshots of a run, so that room is left for its other artifacts. */
const MAX_SNAPSHOTS = 400;
/** Part of the time since the last snapshot that the next may cost. */
const SHARE = 0.05;
/** The assumed cost of the first snapshot, in milliseconds. */
const FIRST_COST_MS = 20;
const MAX_DELAY_MS = 50;

export function createSnapshots(options: SnapshotsOptions): Snapshots {
  const { environment, policy, reports, scratch, redact, now } = options;
  let taken = 0;
  let costMs = FIRST_COST_MS;
  let endedAt = now();
  let running: { done: Promise<void>; abandon: AbortController } | undefined;

  async function take(step: number, final: boolean, signal: AbortSignal): Promise<string | undefined> {
    const beganAt = now();
    const source = environment.snapshot({ maxBytes: MAX_SNAPSHOT_BYTES, ...(redact && { redact }) });
    try {
      const collected = await scratch.collect(source, signal);
      if (collected === undefined || signal.aborted) return "it was stopped";
      reports.artifact({
        type: "file",
        path: snapshotPath(step),
        content_type: "application/x-tar",
        extensions: { step, ...(final && { final: true }) },
        ...("content" in collected ? collected : { read: collected.read }),
      });
      taken++;
      return undefined;
    } catch (error) {
      return messageOf(error);
    } finally {
      endedAt = now();
      costMs = Math.max(1, endedAt - beganAt);
    }
  }

  function isDue(): boolean {
    if (running !== undefined || taken >= MAX_SNAPSHOTS) return false;
    if (policy === "each") return true;
    return policy === "auto" && costMs < SHARE * (now() - endedAt);
  }

  function start(step: number): void {
    const abandon = new AbortController();
    const done = take(step, false, abandon.signal).then((problem) => {
      running = undefined;
      if (problem !== undefined && !abandon.signal.aborted) {
        reports.log("platform", `the files after step ${step} were not kept: ${problem}`);
      }
    });
    running = { done, abandon };
  }

  /** Waits for at most MAX_DELAY_MS, then gives the snapshot up. */
  async function waitAWhile({ done, abandon }: NonNullable<typeof running>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        abandon.abort();
        resolve();
      }, MAX_DELAY_MS);
    });
    await Promise.race([done, late]);
    clearTimeout(timer);
  }

  return {
    afterStep(step) {
      if (isDue()) start(step);
    },
    settled() {
      if (running === undefined || running.abandon.signal.aborted) return undefined;
      return policy === "each" ? running.done : waitAWhile(running);
    },
    async last(step, signal) {
      running?.abandon.abort();
      await running?.done;
      return policy === "off" || signal.aborted ? undefined : take(step, true, signal);
    },
  };
}
