// The flags of `proctor workers`.
import { HUB_FLAGS, jsonFlag, type FlagsOf } from "../../flags.ts";

export const LIST_WORKERS_FLAGS = [jsonFlag("{items, next_cursor}"), ...HUB_FLAGS] as const;
export type ListWorkersFlags = FlagsOf<typeof LIST_WORKERS_FLAGS>;

export const ONE_WORKER_FLAGS = [jsonFlag("the worker"), ...HUB_FLAGS] as const;
export type OneWorkerFlags = FlagsOf<typeof ONE_WORKER_FLAGS>;
