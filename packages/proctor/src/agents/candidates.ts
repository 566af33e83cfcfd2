// Which agents can do something now: draws agents at random from those that may be able to, and checks each, until there are enough.
import { drawOrder } from "../core/draw-order.ts";
import {
  NAMED_REJECTIONS,
  type Candidate,
  type CandidateQuery,
  type Candidates,
  type CandidateSet,
  type Rejection,
} from "../core/ports/candidates.ts";
import type { Stage } from "../core/registration.ts";
import type { Offer, PoolName, Pools } from "./capability-index.ts";
import type { Entries } from "./entries.ts";
import type { Entry } from "./entry.ts";
import { createLook, type LookDeps } from "./look-at-agent.ts";
import { capabilityOf } from "./search.ts";

interface CandidatesDeps extends LookDeps {
  ready: () => Promise<void>;
  entries: Pick<Entries, "get" | "index">;
}

/** Stages in order: work goes to one only where no agent of those before it can do it. */
const TIERS = ["production", "testing", "development"] as const satisfies readonly Stage[];

export function createCandidates(deps: CandidatesDeps): Candidates {
  const { ready, entries } = deps;
  return {
    async candidates(query, limit, random) {
      await ready();
      const pools = query.capability === undefined ? undefined : entries.index.pools(query.capability);
      if (pools === undefined) return { candidates: [], rejected: [], refused: 0, unseen: 0 };
      return choose(pools, query, limit, random, deps);
    },
    async candidate(name, query) {
      await ready();
      const entry = entries.get(name);
      if (entry === undefined) return { agent: name, reason: "there is no such agent" };
      const seen = createLook(query, deps).full(entry);
      return "reason" in seen ? { agent: name, reason: seen.reason } : seen;
    },
  };
}

function choose(
  pools: Pools,
  query: CandidateQuery,
  limit: number,
  random: () => number,
  deps: CandidatesDeps,
): CandidateSet {
  const look = createLook(query, deps);
  const passedOver = createPassedOver(query, deps);
  const candidates: Candidate[] = [];
  const rejected = passedOver.rejections.slice(0, NAMED_REJECTIONS);
  let refused = passedOver.rejections.length;
  const total = Object.values(pools).reduce((sum, { entries }) => sum + entries.length, 0);
  const gone: Entry[] = [];

  function refuse({ agent }: Entry, reason: string): void {
    refused += 1;
    if (rejected.length < NAMED_REJECTIONS) rejected.push({ agent: agent.name, reason });
  }

  /** Refuses all agents of a pool: none can do the work; each is only checked to say why. */
  function refuseAll(name: PoolName, why?: string): void {
    const before = refused;
    const { entries } = pools[name];
    for (const entry of entries) {
      if (rejected.length >= NAMED_REJECTIONS) break;
      if (!passedOver.has(entry)) refuse(entry, why ?? look.whyDown(entry));
    }
    refused = before + entries.length - passedOver.countIn(name);
  }

  function draw(name: PoolName): void {
    const { entries, offers, counts } = pools[name];
    const next = drawOrder(entries.length, random);
    const misfits = new Map<Offer, string | null>();
    const before = refused;
    const foundBefore = candidates.length;
    // Agents whose offers may fit, as far as is known, and how many of them were looked at. The others need no look, except to be named.
    let open = entries.length;
    let seenOpen = 0;
    const isDone = (): boolean => seenOpen === open && rejected.length >= NAMED_REJECTIONS;
    for (let looks = 0; looks < entries.length && candidates.length < limit && !isDone(); looks++) {
      const place = next();
      const entry = entries[place];
      const offer = offers[place];
      if (entry === undefined || offer === undefined) continue;
      let reason = misfits.get(offer);
      if (reason === undefined) {
        reason = look.misfit(entry) ?? null;
        misfits.set(offer, reason);
        if (reason !== null) open -= counts.get(offer) ?? 0;
      }
      if (reason === null) seenOpen += 1;
      if (passedOver.has(entry)) continue;
      const seen = reason === null ? look.fitting(entry) : { reason, isDown: false };
      if (!("reason" in seen)) candidates.push(seen);
      else {
        refuse(entry, seen.reason);
        if (seen.isDown) gone.push(entry);
      }
    }
    if (candidates.length >= limit) return;
    refused = before + entries.length - passedOver.countIn(name) - (candidates.length - foundBefore);
  }

  let able: Stage | undefined;
  for (const stage of TIERS) {
    if (query.stage !== undefined && query.stage !== stage) refuseAll(stage, `its stage is ${stage}`);
    else if (able !== undefined) refuseAll(stage, `it is in ${stage}, and one in ${able} can do it`);
    else {
      draw(stage);
      if (candidates.length > 0) able = stage;
    }
  }
  refuseAll("down");
  refuseAll("retired");
  // The pools must not change while they are drawn from.
  for (const entry of gone) deps.entries.index.place(entry, true);
  return { candidates, rejected, refused, unseen: total - candidates.length - refused };
}

/** Counts the agents that the caller has refused already, as far as they have the capability. */
function createPassedOver({ capability = "", passedOver = [] }: CandidateQuery, { entries }: CandidatesDeps) {
  const known = new Map<Entry, Rejection>();
  for (const rejection of passedOver) {
    const entry = entries.get(rejection.agent);
    if (entry !== undefined && capabilityOf(entry, capability) !== undefined) known.set(entry, rejection);
  }
  return {
    rejections: [...known.values()],
    has: (entry: Entry) => known.size > 0 && known.has(entry),
    countIn: (pool: PoolName) =>
      [...known.keys()].filter((entry) => entries.index.poolOf(entry) === pool).length,
  };
}
