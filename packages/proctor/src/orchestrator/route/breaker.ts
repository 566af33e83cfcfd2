// A circuit per agent: after five failures in a row it gets no more work for a while, then one run to show that it works again. The circuit
// steers choices among several agents; whoever is named gets its work all the same.
import { createOldestKey } from "../../core/oldest-key.ts";

export interface Breaker {
  /** Returns why the agent gets no work now; undefined where it does. */
  refusal(agent: string): string | undefined;
  began(agent: string): void;
  /** Records the end of a run; `ok` is null where it says nothing about the agent. */
  ended(agent: string, ok: boolean | null): void;
}

interface Circuit {
  /** Number of failures in a row. */
  failures: number;
  /** Epoch milliseconds until which the circuit is open, null while it is closed; `openMs` is for how long it was opened. */
  openUntil: number | null;
  openMs: number;
  /** True while a run tries an agent again after its circuit was open. */
  isTried: boolean;
}

export const BREAKER = { failures: 5, firstMs: 10_000, maxMs: 300_000, circuits: 10_000 } as const;

export function createBreaker(now: () => number): Breaker {
  // Only agents whose last run failed have a circuit.
  const circuits = new Map<string, Circuit>();
  const oldestKey = createOldestKey(circuits);

  function circuitOf(agent: string): Circuit {
    const known = circuits.get(agent);
    if (known !== undefined) return known;
    const oldest = circuits.size < BREAKER.circuits ? undefined : oldestKey();
    if (oldest !== undefined) circuits.delete(oldest);
    const fresh = { failures: 0, openUntil: null, openMs: 0, isTried: false };
    circuits.set(agent, fresh);
    return fresh;
  }

  function failed(circuit: Circuit): void {
    const { openUntil } = circuit;
    circuit.failures += 1;
    // Runs that were under way when it opened say nothing new.
    if (openUntil !== null && now() < openUntil) return;
    if (circuit.failures < BREAKER.failures) return;
    circuit.openMs = openUntil === null ? BREAKER.firstMs : Math.min(2 * circuit.openMs, BREAKER.maxMs);
    circuit.openUntil = now() + circuit.openMs;
    circuit.isTried = false;
  }

  return {
    refusal(agent) {
      const circuit = circuits.get(agent);
      if (circuit === undefined || circuit.openUntil === null) return undefined;
      const { failures, openUntil, isTried } = circuit;
      const leftMs = openUntil - now();
      if (leftMs > 0)
        return `its circuit is open for ${Math.ceil(leftMs / 1000)} s after ${failures} failures in a row`;
      return isTried
        ? `its circuit is half open after ${failures} failures in a row, and a run is trying it`
        : undefined;
    },
    began(agent) {
      const circuit = circuits.get(agent);
      if (circuit !== undefined && circuit.openUntil !== null && now() >= circuit.openUntil)
        circuit.isTried = true;
    },
    ended(agent, ok) {
      if (ok === true) circuits.delete(agent);
      else if (ok === false) failed(circuitOf(agent));
      else {
        const circuit = circuits.get(agent);
        if (circuit !== undefined) circuit.isTried = false;
      }
    },
  };
}
