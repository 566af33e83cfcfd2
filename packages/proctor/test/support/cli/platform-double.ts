// What a hub double offers beside runs: its agents as the registry shows them, a place for evaluations, and nothing else.
import type { Evaluation } from "../../../src/core/evaluation.ts";
import type { Evaluations } from "../../../src/core/ports/evaluations.ts";
import type { Hub } from "../../../src/core/ports/hub.ts";
import type { Platform } from "../../../src/core/ports/platform.ts";
import type { Registry } from "../../../src/core/ports/registry.ts";
import { newEntry } from "../../../src/agents/entry.ts";
import { describeEntry } from "../../../src/agents/describe-entry.ts";

export function createPlatformDouble(hub: Hub): Platform {
  const life = { startedAt: 0, aliveAt: null };
  const list: Registry["list"] = async (page) => {
    const { items, next_cursor } = await hub.agents(page);
    return { items: items.map((agent) => describeEntry(newEntry(agent, null), life, 0)), next_cursor };
  };
  // It takes what clients record, and nobody reads it: clients look at no answer.
  const taken = async () => ({}) as Evaluation;
  const evaluations = { begin: taken, record: taken, end: taken } as unknown as Evaluations;
  // Tests of commands ask for no more of it.
  return { registry: { list } as Registry, evaluations } as Platform;
}
