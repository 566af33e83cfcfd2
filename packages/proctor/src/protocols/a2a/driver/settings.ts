// What an agent's address and its options say, checked before anything is sent.
import { failure, type Failure } from "../../../core/failure.ts";
import type { AgentSpec } from "../../../core/agent.ts";
import { readOptions, type A2aOptions } from "./options.ts";

export interface A2aSettings extends A2aOptions {
  /** Address with the scheme `http:`, `https:`, `grpc:` or `grpcs:`. */
  url: URL;
  /** The agent's own headers, by names in lower case. They are credentials. */
  headers: Record<string, string>;
}

const SCHEMES: ReadonlySet<string> = new Set(["http:", "https:", "grpc:", "grpcs:"]);

export function settingsOf(spec: AgentSpec): A2aSettings | { refused: Failure } {
  const { url = "", headers = {}, options = {} } = spec;
  if (!URL.canParse(url)) return refuse("the agent's url is not valid");
  const address = new URL(url);
  if (!SCHEMES.has(address.protocol)) {
    return refuse(`the agent's url is ${address.protocol}, not http:, https:, grpc: or grpcs:`);
  }
  const read = readOptions(options);
  if (!read.ok) {
    const lines = read.findings.map(({ message, hint }) =>
      hint === undefined ? message : `${message}; ${hint}`,
    );
    return refuse(`the agent's options are wrong\n${lines.join("\n")}`);
  }
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const sent = Object.fromEntries(own.filter(([name]) => !OURS_TO_SET.has(name)));
  return { ...read.value, url: address, headers: sent };
}

/** Headers that describe a body or a connection, or that the protocol itself writes. */
const OURS_TO_SET: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "connection",
  "content-length",
  "content-type",
  "expect",
  "host",
  "last-event-id",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

function refuse(message: string): { refused: Failure } {
  return { refused: failure("INVALID_REQUEST", message) };
}
