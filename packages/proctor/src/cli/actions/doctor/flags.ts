// The flags of `proctor doctor`.
import { HUB_FLAGS, jsonFlag, type FlagsOf } from "../../flags.ts";

export const DOCTOR_FLAGS = [
  jsonFlag("{ok, version, environments, toolchain, node, data_dir, hub}"),
  ...HUB_FLAGS,
] as const;
export type DoctorFlags = FlagsOf<typeof DOCTOR_FLAGS>;
