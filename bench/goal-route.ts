// Choosing the agent of a sub-task among 10,000 registered agents that all have the capability: the input is checked against their schemas,
// they are scored, and the reasons are kept. Beside it, the least that any choice costs: one lookup by name and one validation.
import { createRequire } from "node:module";
import { createRouter } from "../packages/proctor/src/orchestrator/route/router.ts";
import { openTestRegistry, type TestRegistry } from "../packages/proctor/test/support/test-registry.ts";
import { nameOf } from "./fill-agents.ts";
import { inTurns, type Result } from "./measure.ts";

const AGENTS = 10_000;
const SCHEMAS = 100;
const DECISIONS = 500;
const INTERVAL_SECONDS = 3600;
const LEASE_MS = 3 * INTERVAL_SECONDS * 1000;
const INPUT = { text: "Once upon a time", words: 200 };

export async function bench(): Promise<Result[]> {
  const opened = await openTestRegistry();
  try {
    await fill(opened);
    const router = createRouter({ agents: opened.registry, now: Date.now, random: Math.random });
    const decide = (input: object, expected: number) => async (): Promise<number> => {
      const before = process.cpuUsage();
      for (let round = 0; round < DECISIONS; round++) {
        const {
          agent,
          considered,
          refused,
          unseen = 0,
        } = await router.route({
          capability: "summarise",
          version: "^1.0.0",
          input: { ...input },
        });
        if (considered + refused + unseen !== AGENTS || considered !== expected)
          throw new Error(`${considered} of ${AGENTS} considered, ${refused} refused, ${unseen} unseen`);
        if (agent !== null) router.began(agent);
        if (agent !== null) router.ended(agent, true);
      }
      return cpuMs(before) / DECISIONS;
    };
    const bare = bareLimit();
    const all = await inTurns(9, bare, decide(INPUT, 64));
    const none = await inTurns(3, bare, decide({ text: 7 }, 0));
    opened.clock.advance(LEASE_MS);
    await opened.registry.beat(nameOf(0), {});
    const one = await inTurns(3, bare, decide(INPUT, 1));
    return [
      {
        name: "goal-route",
        what: "CPU of a routing decision with schema fit, 10,000 capable agents, 100 schemas",
        value: all.ours,
        bound: { atMost: 1 },
        unit: "ms",
        details: {
          "bare lookup and validation us": all.bare * 1000,
          ratio: all.ours / all.bare,
          "where no schema fits ms": none.ours,
          "where one of all is up ms": one.ours,
        },
      },
    ];
  } finally {
    await opened.close();
  }
}

async function fill({ registry }: TestRegistry): Promise<void> {
  const register = (number: number) =>
    registry.register({
      name: nameOf(number),
      version: `1.${number % 10}.0`,
      interval_seconds: INTERVAL_SECONDS,
      capabilities: [{ name: "summarise", parameters: schemaOf(number % SCHEMAS) }],
    });
  // Registrations that arrive together share a commit.
  for (let first = 0; first < AGENTS; first += 500) {
    await Promise.all(Array.from({ length: 500 }, (_, number) => register(first + number)));
  }
}

function schemaOf(number: number) {
  return {
    type: "object",
    required: ["text"],
    properties: { text: { type: "string" }, words: { type: "integer", minimum: number } },
  };
}

function bareLimit(): () => Promise<number> {
  const load = createRequire(import.meta.url);
  // The package is CommonJS; its exports are known from its documentation.
  const { Ajv } = load("ajv") as { Ajv: new () => { compile(schema: object): (value: unknown) => boolean } };
  const validate = new Ajv().compile(schemaOf(1));
  const agents = new Map(Array.from({ length: AGENTS }, (_, number) => [nameOf(number), { number }]));
  return () => {
    const before = process.cpuUsage();
    let found = 0;
    for (let round = 0; round < DECISIONS * 100; round++) {
      if (agents.get(nameOf(round % AGENTS)) !== undefined && validate({ ...INPUT })) found += 1;
    }
    if (found !== DECISIONS * 100) throw new Error("the bare choice found nobody");
    return Promise.resolve(cpuMs(before) / (DECISIONS * 100));
  };
}

function cpuMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
