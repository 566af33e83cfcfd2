// What the official surface is given, and what its routes share.
import type { SurfaceCall, SurfaceOptions, TaskOptions } from "../../../protocol.ts";
import { MAX_FILE_BYTES } from "../shared/read-upload.ts";
import { createLogWaits, type LogWaits } from "./log-waits.ts";
import { createTurnCounts, type TurnCounts } from "./turn-counts.ts";

export interface OfficialSetting extends Pick<SurfaceOptions, "hub" | "log" | "report"> {
  /** As in `TaskOptions`. */
  defaultAgent?: TaskOptions["defaultAgent"];
  maxFileBytes?: number;
  /** As in `TaskOptions`. */
  collectFiles?: boolean;
}

export interface Official extends Pick<SurfaceOptions, "hub" | "log" | "report"> {
  defaultAgent: TaskOptions["defaultAgent"];
  collectFiles: boolean;
  maxFileBytes: number;
  waits: LogWaits;
  counts: TurnCounts;
  /** Aborted when the hub stops: whoever waits is told so. */
  stopping: AbortSignal;
}

/** One request, and what its path names, decoded. */
export interface OfficialCall extends SurfaceCall {
  request: Request;
  /** Whose base the path is below; undefined where it names no agent. */
  agent: string | undefined;
  task: string;
  /** The step or the artifact. */
  part: string;
  query: URLSearchParams;
}

export type Handler = (official: Official, call: OfficialCall) => Promise<Response>;

export function createOfficial(setting: OfficialSetting, stopping: AbortSignal): Official {
  const { hub, log, report, defaultAgent, maxFileBytes = MAX_FILE_BYTES, collectFiles = true } = setting;
  const waits = createLogWaits((listener) => log.watch(listener));
  const counts = createTurnCounts();
  return { hub, log, report, defaultAgent, collectFiles, maxFileBytes, waits, stopping, counts };
}
