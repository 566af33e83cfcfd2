// What the official surface is created from, and what its routes share.
import type { SurfaceOptions } from "../../../protocol.ts";
import type { TaskOptions } from "../../surface.ts";
import { MAX_FILE_BYTES } from "../shared/read-upload.ts";
import { createHolds, type Holds } from "./holds.ts";
import { createShownQuestions, type ShownQuestions } from "./shown-questions.ts";
import { createTurnCounts, type TurnCounts } from "./turn-counts.ts";

export interface OfficialOptions
  extends Pick<SurfaceOptions, "hub" | "log" | "report">, Pick<TaskOptions, "defaultAgent" | "collectFiles"> {
  maxFileBytes?: number;
}

export interface Official extends Pick<SurfaceOptions, "hub" | "log" | "report"> {
  defaultAgent: TaskOptions["defaultAgent"];
  collectFiles: boolean;
  maxFileBytes: number;
  counts: TurnCounts;
  shown: ShownQuestions;
  holds: Holds;
  /** Aborted when the hub stops: clients that wait get an answer then. */
  stopping: AbortSignal;
}

export function createOfficial(options: OfficialOptions, stopping: AbortSignal): Official {
  const { hub, log, report, defaultAgent, maxFileBytes = MAX_FILE_BYTES, collectFiles = true } = options;
  return {
    hub,
    log,
    report,
    defaultAgent,
    collectFiles,
    maxFileBytes,
    stopping,
    counts: createTurnCounts(),
    shown: createShownQuestions(),
    holds: createHolds({ hub, log, report }, stopping),
  };
}

export const TAG = "Agent Protocol v1";
export const TASKS = "/ap/v1/agent/tasks";
