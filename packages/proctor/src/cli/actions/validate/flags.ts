// The flags of `proctor validate`.
import { flag, jsonFlag, type FlagsOf } from "../../flags.ts";

export const VALIDATE_FLAGS = [
  flag("--without-judge", "accept checks that need a judge where none is configured"),
  jsonFlag("{suites}"),
] as const;
export type ValidateFlags = FlagsOf<typeof VALIDATE_FLAGS>;
