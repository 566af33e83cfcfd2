// The flags of `proctor conform`.
import { REPORT_NAMES } from "../../../conformance/reports/catalogue.ts";
import {
  choice,
  documentFlags,
  flag,
  list,
  positiveInteger,
  reporterFlag,
  type FlagsOf,
} from "../../flags.ts";

export const CONFORM_FLAGS = [
  choice("--as-agent <protocol>", "examine a client: <agent> is its command line", ["a2a"]),
  flag(
    "--gateway <url>",
    "examine a gateway of A2A there, being the client before it and the agent behind it",
  ),
  flag("--upstream <host:port>", "where the agent behind the gateway is served (127.0.0.1:7777)"),
  flag(
    "--start <command>",
    "start the gateway for the trial; {upstream} is the address of the agent behind it",
  ),
  flag("-t, --task <text>", 'what the agent is asked to do ("Say hello.")'),
  list("--only <rule>", "only this rule, or those whose name begins so (repeatable)"),
  flag("--timeout <seconds>", "time limit of one exchange with the agent (30)", positiveInteger),
  flag("--acts <path>", "try the tests of ACTS in this folder or file instead, on an agent of A2A"),
  flag("--profile <name>", "only the tests for an agent in this state: main, reduced, auth (with --acts)"),
  flag("--strict", 'a broken "should" is a failure, too'),
  list("-e, --env <key[=value]>", "give the agent a secret; without a value, the one set here (repeatable)"),
  list("--header <key=value>", "send this HTTP header to the agent (repeatable)"),
  reporterFlag(REPORT_NAMES),
  flag("--baseline <file>", "compare with an earlier JSON report, and fail only for what got worse"),
  ...documentFlags("{agent, transport, verdict, rules, summary, …}"),
] as const;
export type ConformFlags = FlagsOf<typeof CONFORM_FLAGS>;
