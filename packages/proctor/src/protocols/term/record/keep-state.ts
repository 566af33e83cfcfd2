// What is kept when the work is over: the files as they are, what is different about them, and the recording.
import { messageOf } from "../../../core/message-of.ts";
import { unlessAborted } from "../../../core/unless-aborted.ts";
import type { Environment } from "../../../core/ports/environments.ts";
import type { ReportQueue } from "../report-queue.ts";
import type { Asciicast } from "./asciicast.ts";
import type { Snapshots } from "./snapshots.ts";

export interface StateToKeep {
  environment: Environment | undefined;
  snapshots: Snapshots | undefined;
  recording: Asciicast;
  reports: ReportQueue;
  step: number;
  /** Aborts when no time is left. What is kept by then stays kept. */
  signal: AbortSignal;
}

const MAX_CHANGES = 20_000;

export async function keepState(state: StateToKeep): Promise<void> {
  const { environment, snapshots, recording, reports, step, signal } = state;
  const cast = recording.finish();
  if (cast) {
    const path = "terminal/recording.cast";
    reports.artifact({ type: "file", path, content: cast, content_type: "application/x-asciicast" });
  }
  if (environment === undefined || signal.aborted) return;
  const work = Promise.all([keepChanges(environment, reports), keepFiles(snapshots, reports, step, signal)]);
  await unlessAborted(work, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

async function keepFiles(
  snapshots: Snapshots | undefined,
  reports: ReportQueue,
  step: number,
  signal: AbortSignal,
): Promise<void> {
  const problem = await snapshots?.last(step, signal);
  if (problem !== undefined)
    reports.log("platform", `the files as they were in the end were not kept: ${problem}`);
}

async function keepChanges(environment: Environment, reports: ReportQueue): Promise<void> {
  try {
    const changes = await environment.changes();
    reports.artifact({
      type: "structured",
      name: "changes",
      data: changes.slice(0, MAX_CHANGES),
      ...(changes.length > MAX_CHANGES && { extensions: { changes_total: changes.length } }),
    });
  } catch (error) {
    const why = messageOf(error);
    reports.log("platform", `what changed in the files is not known: ${why}`);
  }
}
