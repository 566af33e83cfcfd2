// The one notation for "where is this agent": DESIGN, "Agent addresses". Which protocols exist is the registry's business.
import { AGENT_NAME, type AgentSpec } from "./agent.ts";
import { formatCommandLine, parseCommandLine } from "./command-line.ts";
import { ProctorError } from "./errors.ts";
import { quote } from "./printable.ts";
import { suggest } from "./suggest.ts";

/** The part of an address after `protocol+transport:`. */
const TRANSPORTS: ReadonlyMap<string, "command" | "url" | "path" | "name"> = new Map([
  ["stdio", "command"],
  ["http", "url"],
  ["https", "url"],
  ["ws", "url"],
  ["wss", "url"],
  ["grpc", "url"],
  ["grpcs", "url"],
  ["file", "path"],
  // An inbox of the hub, from which the agent takes what is sent to it.
  ["inbox", "name"],
  // Agents that a protocol brings along, by name.
  ["builtin", "command"],
]);

const ADDRESS = /^([a-z][a-z0-9-]*)\+([a-z][a-z0-9-]*):/i;
/** A tool of the hub itself: the protocol is its own transport, and its agents have names. */
const HUB_TOOL = /^(script-tool):(.*)$/s;
const BARE_SCHEME = /^([a-z][a-z0-9-]*):/i;
const EXAMPLES = "for example atp+stdio:python3 agent.py or atp+http://localhost:8000";

/** Tells an address from the name of an agent, which can hold neither `+` nor `:`. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text) || isHubTool(text);
}

/** Returns whether an address names a tool of the hub. */
export function isHubTool(text: string): boolean {
  return HUB_TOOL.test(text);
}

export function parseAddress(text: string): AgentSpec {
  const [, hubTool, toolName = ""] = HUB_TOOL.exec(text) ?? [];
  if (hubTool !== undefined) {
    const name = parseName(toolName, `${hubTool}:`, "tool");
    return { protocol: hubTool, transport: hubTool, url: `${hubTool}:${name}` };
  }
  const trimmed = text.trimStart();
  const [scheme, protocolName = "", transportName = ""] = ADDRESS.exec(trimmed) ?? [];
  if (scheme === undefined) throw notAnAddress(trimmed.trimEnd());
  const protocol = protocolName.toLowerCase();
  const transport = transportName.toLowerCase();
  const rest = trimmed.slice(scheme.length);
  const column = text.length - rest.length + 1;
  switch (TRANSPORTS.get(transport)) {
    case "command":
      return { protocol, transport, command: parseCommand(rest, column, scheme) };
    case "url":
      return { protocol, transport, url: parseUrl(rest.trimEnd(), transport, scheme) };
    case "path":
      return { protocol, transport, url: parsePath(rest.trimEnd(), transport, scheme) };
    case "name":
      return { protocol, transport, url: `${transport}:${parseName(rest.trim(), scheme, "inbox")}` };
    default:
      throw unknownTransport(scheme, transport);
  }
}

/** Returns the address that a command line given as an agent probably meant; undefined for anything else. */
export function addressOfCommand(text: string): string | undefined {
  return /^[\w./~-]+[ \t]+\S|^\.{0,2}\/\S/.test(text) ? `atp+stdio:${text}` : undefined;
}

/** The inverse of `parseAddress`; what only the long form can say (env, headers, cwd) is left out. */
export function formatAddress(spec: AgentSpec): string {
  if (spec.command !== undefined) {
    const line = formatCommandLine(spec.command);
    // A leading `//` would read as a URL.
    const command = line.startsWith("//") ? `\\${line}` : line;
    return `${spec.protocol}+${spec.transport}:${command}`;
  }
  if (spec.url !== undefined) {
    return spec.protocol === spec.transport ? spec.url : `${spec.protocol}+${spec.url}`;
  }
  throw invalid("the agent has neither a command nor a url", "give one of them");
}

function parseCommand(rest: string, column: number, scheme: string): string[] {
  if (rest.startsWith("//")) {
    throw invalid(
      `"${scheme}" is followed by a URL at column ${column}, and starts a program`,
      `write the command line directly behind the colon: ${scheme}${rest.replace(/^\/+/, "")}`,
    );
  }
  const command = parseCommandLine(rest, column);
  if (command.length === 0 || command[0] === "") {
    throw invalid(
      `"${scheme}" names no program at column ${column}`,
      `write a command line behind the colon, ${EXAMPLES}`,
    );
  }
  return command;
}

/** The URL as written, once it is known to be one. Messages do not repeat it: it may hold a password. */
function parseUrl(rest: string, transport: string, scheme: string): string {
  const isGrpc = transport === "grpc" || transport === "grpcs";
  const shape = isGrpc ? "//host:port" : "//host[:port][/path]";
  const refuse = (what: string): ProctorError =>
    invalid(`the URL behind "${scheme}" ${what}`, `write ${scheme}${shape}`);
  if (!rest.startsWith("//")) throw refuse("does not begin with //");
  const blank = rest.search(/[\s\p{Cc}]/u);
  if (blank !== -1) throw refuse(`has a blank or control character at its character ${blank + 1}`);
  // `new URL` drops surplus slashes, so that a missing host would be taken from the path.
  if (/^\/\/[/\\?#]/.test(rest) || !URL.canParse(`${transport}:${rest}`)) throw refuse("is not valid");
  const url = new URL(`${transport}:${rest}`);
  if (url.hostname === "") throw refuse("names no host");
  if (url.username !== "" || url.password !== "") {
    throw invalid(
      `the URL behind "${scheme}" holds a user name or password, and addresses are stored and shown`,
      "put credentials into the agent's headers",
    );
  }
  if (isGrpc && (url.port === "" || !/^\/?$/.test(url.pathname) || /[?#]/.test(rest))) {
    throw refuse("is not host:port");
  }
  return `${transport}:${rest}`;
}

/** A path as written, or a file URL; a relative path is relative to the spec's `cwd`. */
function parsePath(rest: string, transport: string, scheme: string): string {
  const refuse = (what: string): ProctorError =>
    invalid(`the path behind "${scheme}" ${what}`, `write ${scheme}path/to/file, or ${scheme}/path/to/file`);
  if (rest === "" || rest === "//") throw refuse("is empty");
  if (/\p{Cc}/u.test(rest)) throw refuse("has a control character");
  if (rest.startsWith("//") && !rest.startsWith("///"))
    throw refuse("names a host, and files are on this machine");
  return `${transport}:${rest}`;
}

function parseName(name: string, scheme: string, what: "inbox" | "tool"): string {
  if (AGENT_NAME.test(name)) return name;
  const whose = what === "inbox" ? "agent" : "tool";
  throw invalid(
    `"${scheme}" names no ${what}`,
    `write the ${whose}'s name behind the colon: ${scheme}writer`,
  );
}

function notAnAddress(text: string): ProctorError {
  const [, word = ""] = BARE_SCHEME.exec(text) ?? [];
  if (word === "") {
    return invalid(
      `${text === "" ? "an empty text" : quote(text)} is not an agent's address`,
      `an address is protocol+transport:…, ${EXAMPLES}`,
    );
  }
  const transport = word.toLowerCase();
  const next = TRANSPORTS.has(transport)
    ? `put the agent's protocol in front: atp+${transport}:…`
    : `an address is protocol+transport:…, ${EXAMPLES}`;
  return new ProctorError("UNKNOWN_SCHEME", `"${word}:" names a protocol or a transport, not both\n${next}`, {
    details: { scheme: word },
  });
}

function unknownTransport(scheme: string, transport: string): ProctorError {
  const known = [...TRANSPORTS.keys()];
  const meant = suggest(transport, known);
  const next = meant === undefined ? `known are ${known.join(", ")}` : `did you mean "${meant}"?`;
  return new ProctorError("UNKNOWN_SCHEME", `unknown transport "${transport}" in "${scheme}"\n${next}`, {
    details: { scheme: scheme.slice(0, -1), transports: known },
  });
}

function invalid(what: string, next: string): ProctorError {
  return new ProctorError("INVALID_REQUEST", `${what}\n${next}`);
}
