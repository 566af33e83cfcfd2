// What tests found about the runs of agents: whoever judged a run says so, once, and the agent's quality is the share that was good enough.
import { OPERATOR, requireUnbound } from "../core/caller.ts";
import { createOldestKey } from "../core/oldest-key.ts";
import type { Registry } from "../core/ports/registry.ts";
import type { Store } from "../core/ports/store.ts";
import { isTerminal } from "../core/run.ts";
import { saysNothing } from "../core/says-nothing.ts";
import { validate } from "../runtime/http/validate.ts";
import { VerdictsBody } from "../runtime/schemas/registration.ts";
import type { Entry } from "./entry.ts";
import { measureVerdict, type Measures } from "./measures.ts";

interface VerdictsDeps {
  ready: () => Promise<void>;
  find: (name: string) => Entry | undefined;
  store: Pick<Store, "readRun">;
  measured: (agent: string, measures: Measures) => void;
}

/** Most runs that are remembered as judged. */
const REMEMBERED = 10_000;

export function createVerdicts({ ready, find, store, measured }: VerdictsDeps): Pick<Registry, "judged"> {
  const known = new Map<string, true>();
  const oldestKey = createOldestKey(known);

  /** Returns whether it is the first verdict on the run. */
  function remember(runId: string): boolean {
    if (known.has(runId)) return false;
    const oldest = known.size < REMEMBERED ? undefined : oldestKey();
    if (oldest !== undefined) known.delete(oldest);
    known.set(runId, true);
    return true;
  }

  async function count(runId: string, passed: boolean): Promise<boolean> {
    const run = await store.readRun(runId);
    if (run === undefined || !isTerminal(run.status) || saysNothing(run)) return false;
    const entry = find(run.agent);
    if (entry === undefined || !remember(runId)) return false;
    entry.measures = measureVerdict(entry.measures, passed);
    measured(run.agent, entry.measures);
    return true;
  }

  return {
    async judged(given, caller = OPERATOR) {
      // An agent does not grade itself, nor others.
      requireUnbound(caller);
      const { verdicts } = validate(VerdictsBody, { verdicts: given }, "body");
      await ready();
      let counted = 0;
      for (const { run_id, passed } of verdicts) if (await count(run_id, passed)) counted += 1;
      return { counted };
    },
  };
}
