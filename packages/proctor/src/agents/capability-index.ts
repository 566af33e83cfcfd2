// Agents by what they can do, in pools from which some can be drawn without a look at the others. A pool is a guess until an agent is
// looked at: one that went down since then is moved when it is found. No agent comes up unnoticed, so each one in `down` is down.
import type { Capability } from "../core/agent-profile.ts";
import type { Stage } from "../core/registration.ts";
import type { Entry } from "./entry.ts";
import { stageOf } from "./search.ts";

/** Name of a pool: `retired` and `down` hold agents that get no work; the others are by their stage. */
export type PoolName = Stage | "down";
export type Pools = Readonly<Record<PoolName, Pool>>;

/** The first two have the same length. Most agents are told apart by their offers, which are few; the agents themselves are spread in memory. */
export interface Pool {
  readonly entries: readonly Entry[];
  readonly offers: readonly Offer[];
  /** Number of agents of the pool that share each offer. */
  readonly counts: ReadonlyMap<Offer, number>;
}

/** What the agents that share it have in common: version, labels and the schema of the input. Whatever a query asks of these, all or none fit. */
export interface Offer {
  readonly key: string;
  /** Number of places that refer to the offer. */
  uses: number;
}

export interface CapabilityIndex {
  add(entry: Entry): void;
  remove(entry: Entry): void;
  clear(): void;
  /** Called whenever the state of an agent may have changed. */
  place(entry: Entry, isDown: boolean): void;
  /** Returns undefined where no agent has the capability. */
  pools(capability: string): Pools | undefined;
  poolOf(entry: Entry): PoolName | undefined;
}

interface OpenPool {
  entries: Entry[];
  offers: Offer[];
  counts: Map<Offer, number>;
}

interface Place {
  pool: OpenPool;
  index: number;
}

/** A seat is the place of an agent in the pools of each of its capabilities. */
interface Seat {
  name: PoolName;
  places: Map<string, Place>;
}

export function createCapabilityIndex(): CapabilityIndex {
  const byCapability = new Map<string, Record<PoolName, OpenPool>>();
  const seats = new Map<Entry, Seat>();
  const offers = createOffers();

  function enter(entry: Entry, name: PoolName): void {
    const places = new Map<string, Place>();
    for (const capability of entry.agent.capabilities ?? []) {
      const pools = byCapability.get(capability.name) ?? emptyPools();
      byCapability.set(capability.name, pools);
      const pool = pools[name];
      const offer = offers.claim(entry, capability);
      pool.offers.push(offer);
      pool.counts.set(offer, (pool.counts.get(offer) ?? 0) + 1);
      places.set(capability.name, { pool, index: pool.entries.push(entry) - 1 });
    }
    seats.set(entry, { name, places });
  }

  /** Removes an agent; the last of its pool takes the free place. */
  function leave(entry: Entry): void {
    for (const [capability, { pool, index }] of seats.get(entry)?.places ?? []) {
      const left = pool.offers[index];
      if (left !== undefined) {
        const count = (pool.counts.get(left) ?? 1) - 1;
        if (count > 0) pool.counts.set(left, count);
        else pool.counts.delete(left);
        offers.release(left);
      }
      const [last, offer] = [pool.entries.pop(), pool.offers.pop()];
      if (last === undefined || offer === undefined || last === entry) continue;
      pool.entries[index] = last;
      pool.offers[index] = offer;
      const moved = seats.get(last)?.places.get(capability);
      if (moved !== undefined) moved.index = index;
    }
    seats.delete(entry);
  }

  return {
    add: (entry) => enter(entry, stageOf(entry)),
    remove(entry) {
      const capabilities = [...(seats.get(entry)?.places.keys() ?? [])];
      leave(entry);
      for (const capability of capabilities) {
        const pools = byCapability.get(capability);
        if (pools !== undefined && isEmpty(pools)) byCapability.delete(capability);
      }
    },
    clear() {
      byCapability.clear();
      seats.clear();
      offers.clear();
    },
    place(entry, isDown) {
      const stage = stageOf(entry);
      const name = isDown && stage !== "retired" ? "down" : stage;
      const seat = seats.get(entry);
      if (seat === undefined || seat.name === name) return;
      leave(entry);
      enter(entry, name);
    },
    pools: (capability) => byCapability.get(capability),
    poolOf: (entry) => seats.get(entry)?.name,
  };
}

function createOffers() {
  const known = new Map<string, Offer>();
  return {
    claim({ agent, registration }: Entry, { version, parameters }: Capability): Offer {
      const key = JSON.stringify([version ?? agent.version, registration?.labels, parameters]);
      const offer = known.get(key) ?? { key, uses: 0 };
      known.set(key, offer);
      offer.uses += 1;
      return offer;
    },
    release(offer: Offer): void {
      offer.uses -= 1;
      if (offer.uses === 0) known.delete(offer.key);
    },
    clear: () => known.clear(),
  };
}

function isEmpty(pools: Pools): boolean {
  return Object.values(pools).every(({ entries }) => entries.length === 0);
}

function emptyPools(): Record<PoolName, OpenPool> {
  const pool = (): OpenPool => ({ entries: [], offers: [], counts: new Map() });
  return { production: pool(), testing: pool(), development: pool(), retired: pool(), down: pool() };
}
