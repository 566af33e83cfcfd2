// Which agents can do what: by capability, version, input, labels, stage and state, each left out with its reason.
import { satisfies, validRange } from "semver";
import type { Capability } from "../core/agent-profile.ts";
import { ProctorError } from "../core/errors.ts";
import type { JsonObject } from "../core/json.ts";
import type { AgentQuery, AgentSearch, AgentState, SearchResult, Stage } from "../core/registration.ts";
import { createBest } from "./best.ts";
import { describeEntry } from "./describe-entry.ts";
import type { Entry } from "./entry.ts";
import type { SchemaFits } from "../core/schema-fits.ts";
import { isDown, stateOf, type Life } from "./state.ts";

export interface SearchDeps {
  /** Returns agents that have the capability, or all. */
  candidates: (capability: string | undefined) => Iterable<Entry>;
  fits: SchemaFits;
  life: Life;
  now: number;
}

const DEFAULT_LIMIT = 100;
/** States, best first. Agents that are offline or draining are only found by a query that asks for that state. */
const ORDER: Readonly<Record<AgentState, number>> = {
  online: 0,
  suspect: 1,
  unknown: 2,
  draining: 3,
  offline: 4,
};

export function searchAgents(query: AgentSearch, deps: SearchDeps): SearchResult {
  const { limit = DEFAULT_LIMIT } = query;
  const refuse = createFilter(query, deps);
  const best = createBest<Entry>(limit);
  const rejected: SearchResult["rejected"] = [];
  for (const entry of deps.candidates(query.capability)) {
    const { state } = stateOf(entry, deps.life, deps.now);
    const reason = refuse(entry, state);
    if (reason === undefined) best.add(entry, ORDER[state], busyness(entry));
    else if (rejected.length < limit) rejected.push({ agent: entry.agent.name, reason });
  }
  return {
    matches: best.list().map((entry) => ({
      agent: describeEntry(entry, deps.life, deps.now),
      capability: query.capability ?? null,
    })),
    total: best.total(),
    rejected,
  };
}

/** Returns whether the agent belongs into a list: unlike a search, a list shows agents that are down as well. */
export function matchesList(entry: Entry, state: AgentState, query: AgentQuery): boolean {
  const { capability, labels = {}, stage } = query;
  if (capability !== undefined && capabilityOf(entry, capability) === undefined) return false;
  if (stage !== undefined && stageOf(entry) !== stage) return false;
  if (query.state !== undefined && !query.state.includes(state)) return false;
  return missingLabel(entry, Object.entries(labels)) === undefined;
}

type Filter = (entry: Entry, state: AgentState) => string | undefined;

/** Checks what a query asks besides the capability. Each schema and each version is checked once, however many agents have it. */
export function createFilter(query: AgentQuery, { fits }: Pick<SearchDeps, "fits">): Filter {
  const { capability, version, input, labels = {}, stage } = query;
  const states = query.state && new Set(query.state);
  const inRange = version === undefined ? undefined : rangeCheck(version);
  const wanted = Object.entries(labels);
  /** Departures by schema; null where the input fits. */
  const departures = new Map<JsonObject, string | null>();

  function departure(capability: Capability): string | null {
    if (input === undefined || capability.parameters === undefined) return null;
    const schema = fits.shared(capability.parameters);
    // Many agents say the same: one object for all of them is found again at once, and takes the room of one.
    if (schema !== capability.parameters) capability.parameters = schema;
    const known = departures.get(schema);
    if (known !== undefined) return known;
    const wrong = fits.departure(schema, input) ?? null;
    departures.set(schema, wrong);
    return wrong;
  }

  return (entry, state) => {
    const asked = capability === undefined ? undefined : capabilityOf(entry, capability);
    if (states === undefined && isDown(state)) return `it is ${state}`;
    if (states !== undefined && !states.has(state)) return `it is ${state}`;
    if (stage === undefined && stageOf(entry) === "retired") return "it is retired";
    if (stage !== undefined && stageOf(entry) !== stage) return `its stage is ${stageOf(entry)}`;
    const label = missingLabel(entry, wanted);
    if (label !== undefined) return label;
    const own = asked?.version ?? entry.agent.version;
    if (inRange !== undefined && !inRange(own)) return `its version is ${own ?? "not known"}`;
    const wrong = asked === undefined ? null : departure(asked);
    return wrong === null ? undefined : `the input does not fit: ${wrong}`;
  };
}

/** Checks each version against the range once, however many agents have it. */
function rangeCheck(range: string): (version: string | undefined) => boolean {
  if (validRange(range) === null) {
    const message = `"${range}" is no range of versions\nwrite it like ^1.2.0 or >=1 <3`;
    throw new ProctorError("INVALID_REQUEST", message, {
      details: [{ path: "version", message: "no range" }],
    });
  }
  const known = new Map<string, boolean>();
  return (version) => {
    if (version === undefined) return false;
    const result = known.get(version) ?? satisfies(version, range);
    known.set(version, result);
    return result;
  };
}

export function capabilityOf({ agent }: Entry, name: string): Capability | undefined {
  return agent.capabilities?.find((capability) => capability.name === name);
}

export function stageOf({ registration }: Entry): Stage {
  return registration?.stage ?? "production";
}

function missingLabel(
  { registration }: Entry,
  labels: readonly (readonly [key: string, value: string])[],
): string | undefined {
  for (const [key, value] of labels) {
    if (registration?.labels[key] !== value) return `its label ${key} is not "${value}"`;
  }
  return undefined;
}

/** Returns the share of its capacity that an agent uses; one that does not report it comes in the middle. */
function busyness({ load }: Entry): number {
  if (load?.active === undefined) return 0.5;
  return (load.active + (load.queued ?? 0)) / (load.capacity || Math.max(load.active, 1));
}
