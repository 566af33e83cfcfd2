// From an agent's own address to how it is reached, and whether the caller may name that address.
import type { AgentProfile } from "../core/agent-profile.ts";
import type { AgentSpec } from "../core/agent.ts";
import { isAddress, parseAddress } from "../core/address.ts";
import { requireScope, type Caller } from "../core/caller.ts";
import { ProctorError } from "../core/errors.ts";
import type { AgentKind, Registration } from "../core/registration.ts";

/** An agent that described itself. */
export interface Discovered {
  spec: AgentSpec;
  profile: AgentProfile;
}

export interface PlaceDeps {
  /** Checks a URL. Throws FORBIDDEN for one that may not be reached. */
  guard: (url: string) => Promise<void>;
  /** Asks a URL what is there; throws INVALID_REQUEST where nothing describes itself. Absent where URLs cannot be asked. */
  discover?: (url: string) => Promise<Discovered>;
}

export interface Place {
  spec: AgentSpec;
  kind: AgentKind;
  /** The agent's own description; the registration's fields override it. */
  profile: AgentProfile;
}

type Asked = Pick<Registration, "endpoint" | "spec" | "probe"> & { name: string };

/** Transports that lead to another process, and never start one. */
const REMOTE: ReadonlySet<string> = new Set(["http", "https", "ws", "wss", "grpc", "grpcs", "inbox"]);

export async function placeOf(asked: Asked, caller: Caller, deps: PlaceDeps): Promise<Place> {
  const { endpoint, spec: given, probe } = asked;
  if (endpoint !== undefined && given !== undefined) {
    throw wrong("endpoint", `give "endpoint" or "spec", not both`);
  }
  if (endpoint !== undefined && /^https?:/i.test(endpoint)) {
    await deps.guard(endpoint);
    if (deps.discover === undefined)
      throw wrong("endpoint", "put the agent's protocol in front: a2a+https://…");
    const { spec, profile } = await deps.discover(endpoint);
    if (spec.url !== undefined) await deps.guard(spec.url);
    return { spec, profile, kind: probe === false ? "leased" : "probed" };
  }
  const spec = given ?? (endpoint === undefined ? inboxOf(asked.name) : addressOf(endpoint));
  const isRemote = REMOTE.has(spec.transport) && spec.command === undefined;
  if (spec.transport === "inbox" && spec.url !== inboxOf(asked.name).url)
    throw wrong("endpoint", `the inbox of ${asked.name} is inbox:${asked.name}`);
  if (!isRemote) requireScope(caller, "programs");
  else if (spec.transport !== "inbox" && spec.url !== undefined) await deps.guard(spec.url);
  return { spec, profile: {}, kind: isRemote ? (probe === true ? "probed" : "leased") : "managed" };
}

/** Returns the inbox of an agent that cannot be connected to. */
function inboxOf(name: string): AgentSpec {
  return { protocol: "envelope", transport: "inbox", url: `inbox:${name}` };
}

function addressOf(endpoint: string): AgentSpec {
  if (isAddress(endpoint)) return parseAddress(endpoint);
  throw wrong("endpoint", `"${endpoint}" is neither an address nor a URL`);
}

function wrong(path: string, message: string): ProctorError {
  return new ProctorError("INVALID_REQUEST", message, { details: [{ path, message }] });
}
