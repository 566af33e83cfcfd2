// The flags of `proctor mock`.
import { InvalidArgumentError } from "commander";
import { flag, list, orElse, wholeNumber, type FlagsOf } from "../../flags.ts";

const MAX_PORT = 65_535;

const hostFlag = orElse(flag("--host <address>", "address to listen on"), "127.0.0.1");
export const portFlag = (port: number) =>
  orElse(flag("-p, --port <number>", "port to listen on, 0 for any free one", portNumber), port);
export const logFlag = flag("--log <file>", "append every call to this file, as a line of JSON");
export const linesFlag = (what: string) =>
  flag("--json", `print one line of JSON for every ${what} on stdout, and nothing else there`);

/** Flags for the hub to which a mock reports its requests. */
const ANNOUNCE_FLAGS = [
  flag("--hub <url>", "tell the hub at this address what is asked (PROCTOR_URL)"),
  flag("--private", "tell no hub what is asked"),
] as const;

/** Flags of a mock that listens at this port and prints a line for each of what it counts. */
const servedFlags = (port: number, each: string) =>
  [hostFlag, portFlag(port), logFlag, linesFlag(each), ...ANNOUNCE_FLAGS] as const;

export const MOCK_TOOLS_FLAGS = servedFlags(8080, "call");
export const MOCK_LLM_FLAGS = [
  hostFlag,
  portFlag(8081),
  flag("--key <text>", "answer only who sends this key as a bearer token"),
  logFlag,
  linesFlag("call"),
  ...ANNOUNCE_FLAGS,
] as const;
export const MOCK_OAUTH_FLAGS = servedFlags(8084, "request");
export const MOCK_PUSH_FLAGS = servedFlags(8085, "delivery");
/** The flags of a mock that has no others. */
export type ServedFlags = FlagsOf<ReturnType<typeof servedFlags>>;
export type MockLlmFlags = FlagsOf<typeof MOCK_LLM_FLAGS>;

export const MOCK_AGENT_FLAGS = [
  portFlag(8080),
  list("--pack <name>", "behaviours that are built in: tck, tck-1.0.0, tck-0.3 (repeatable)"),
  flag("--profile <name>", "the card at the root: main, open, reduced, auth, extension"),
  flag("--patch <level>", "which statuses A2A errors have: 1.0.0 or 1.0.1"),
  flag("--grpc-port <number>", "serve A2A over gRPC at this port too, 0 for any free one", portNumber),
  logFlag,
  flag("--save-script <file>", "write the script that recordings of A2A agents come to, and serve nothing"),
  flag("--stdio", "speak on stdin and stdout instead, for one task"),
  orElse(flag("--speed <factor>", "how many times as fast as recorded; 0 does not wait at all", factor), 0),
  list("--fault <spec>", "do something wrong, such as drop:2 or cut:3 (repeatable)"),
  flag("--seed <number>", "what is random is the same for the same seed", wholeNumber),
  linesFlag("task or request"),
  ...ANNOUNCE_FLAGS,
] as const;
export type MockAgentFlags = FlagsOf<typeof MOCK_AGENT_FLAGS>;

function factor(value: string): number {
  const number = Number(value);
  if (/^\d+(?:\.\d+)?$/.test(value) && number <= 1_000_000) return number;
  throw new InvalidArgumentError("It must be a number of at least 0.");
}

function portNumber(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= MAX_PORT) return Number(value);
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${MAX_PORT}.`);
}
