// The flags of `proctor bridge`.
import { choice, list, orElse, type FlagsOf } from "../../flags.ts";
import { linesFlag, logFlag, portFlag } from "../mock/flags.ts";

export const BRIDGE_FLAGS = [
  choice("--to <version>", "the version that clients of the bridge speak", ["1.0", "0.3"]),
  portFlag(8082),
  list("--header <key=value>", "send this HTTP header to the agent (repeatable)"),
  orElse(list("--pass-header <name>", "pass this header of clients on to the agent (repeatable)"), [
    "authorization",
  ]),
  logFlag,
  linesFlag("request"),
] as const;
export type BridgeFlags = FlagsOf<typeof BRIDGE_FLAGS>;
