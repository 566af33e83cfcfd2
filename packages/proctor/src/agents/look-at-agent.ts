// Checks one agent against a query: returns what is needed to choose it, or why it cannot be chosen.
import type { Candidate, CandidateQuery } from "../core/ports/candidates.ts";
import { sinceWhen } from "./describe-entry.ts";
import type { Entry } from "./entry.ts";
import type { SchemaFits } from "../core/schema-fits.ts";
import { capabilityOf, createFilter, stageOf } from "./search.ts";
import { isDown, stateOf, type Derived, type Life } from "./state.ts";

export interface LookDeps {
  fits: SchemaFits;
  life: () => Life;
  now: () => number;
}

interface Refused {
  reason: string;
  isDown: boolean;
}

export interface Look {
  full(entry: Entry): Candidate | Refused;
  /** Checks an agent whose offer is known to fit. */
  fitting(entry: Entry): Candidate | Refused;
  /** Returns why no agent with the same version, labels and schema can do the work; undefined where one might. */
  misfit(entry: Entry): string | undefined;
  /** Returns why an agent that is down gets no work. */
  whyDown(entry: Entry): string;
}

export function createLook(query: CandidateQuery, { fits, life: readLife, now }: LookDeps): Look {
  const { capability, refuse } = query;
  const at = now();
  const life = readLife();
  const filter = createFilter(query, { fits });
  // The state is looked at here, and the filter sees those who are up.
  const misfit = (entry: Entry): string | undefined => filter(entry, "online");

  function look(entry: Entry, isFit: boolean): Candidate | Refused {
    const { agent, load, measures } = entry;
    if (stageOf(entry) === "retired") return { reason: RETIRED, isDown: false };
    const derived = stateOf(entry, life, at);
    if (isDown(derived.state)) return { reason: downSince(entry, derived), isDown: true };
    const asked = capability === undefined ? undefined : capabilityOf(entry, capability);
    if (capability !== undefined && asked === undefined)
      return { reason: `it has no capability "${capability}"`, isDown: false };
    const reason = (isFit ? undefined : misfit(entry)) ?? refuse?.(agent.name);
    if (reason !== undefined) return { reason, isDown: false };
    return {
      agent: agent.name,
      state: derived.state,
      load,
      concurrency: agent.concurrency ?? null,
      measured: measures,
      cost: asked?.cost ?? null,
    };
  }

  return {
    full: (entry) => look(entry, false),
    fitting: (entry) => look(entry, true),
    misfit,
    whyDown: (entry) => (stageOf(entry) === "retired" ? RETIRED : downSince(entry, stateOf(entry, life, at))),
  };
}

const RETIRED = "it is retired";

function downSince(entry: Entry, derived: Derived): string {
  const when = sinceWhen(entry, derived);
  return `${derived.state}${when === null ? "" : ` since ${when}`}: ${derived.reason}`;
}
