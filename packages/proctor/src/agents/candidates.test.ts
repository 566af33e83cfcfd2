// Who is a candidate, who is refused and why, and that every agent with the capability is counted once.
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { propertyRuns } from "../../test/support/property-runs.ts";
import { openTestRegistry, type TestRegistry } from "../../test/support/test-registry.ts";
import type { CandidateQuery, CandidateSet } from "../core/ports/candidates.ts";
import type { Registration } from "../core/registration.ts";

let opened: TestRegistry;

beforeEach(async () => void (opened = await openTestRegistry()));
afterEach(() => opened.close());

const SUM = {
  name: "sum",
  version: "1.2.0",
  parameters: { type: "object", properties: { size: { type: "number" } } },
};

async function register(...agents: (Partial<Registration> & { name: string })[]): Promise<void> {
  for (const agent of agents) await opened.registry.register({ capabilities: [SUM], ...agent });
}

async function ask(query: CandidateQuery = {}, limit = 10): Promise<CandidateSet> {
  return opened.registry.candidates({ capability: "sum", ...query }, limit, () => 0);
}

async function reasonOf(agent: string, query: CandidateQuery = {}): Promise<string | undefined> {
  const { rejected, candidates } = await ask(query);
  expect(candidates.map((candidate) => candidate.agent)).not.toContain(agent);
  return rejected.find((rejection) => rejection.agent === agent)?.reason;
}

describe("a candidate", () => {
  it("comes with its state, load, limits, measures and costs", async () => {
    await register({ name: "a", capabilities: [{ ...SUM, cost: { usd: 0.5 } }] });
    await opened.registry.beat("a", { load: { active: 1, capacity: 4 } });
    expect((await ask()).candidates).toMatchObject([
      {
        agent: "a",
        state: "online",
        load: { active: 1, capacity: 4 },
        concurrency: null,
        measured: { runs: 0, success_rate: null },
        cost: { usd: 0.5 },
      },
    ]);
  });

  it("is nobody where no agent has the capability, or none is asked for", async () => {
    await register({ name: "a" });
    const nobody = { candidates: [], rejected: [], refused: 0, unseen: 0 };
    expect(await ask({ capability: "subtract" })).toEqual(nobody);
    expect(await opened.registry.candidates({}, 10, () => 0)).toEqual(nobody);
  });

  it("is forgotten with its agent, and known by what it can do now", async () => {
    await register({ name: "a" }, { name: "b" });
    await opened.registry.deregister("a");
    await opened.registry.update("b", { capabilities: [{ name: "subtract" }] });
    expect(await ask()).toMatchObject({ candidates: [], refused: 0, unseen: 0 });
    expect(await ask({ capability: "subtract" })).toMatchObject({ candidates: [{ agent: "b" }] });
  });

  it("is one of a random few where more can than were asked for", async () => {
    await register(...["a", "b", "c", "d", "e"].map((name) => ({ name })));
    const chosen = new Set<string>();
    for (const place of [0, 0.2, 0.4, 0.6, 0.8]) {
      const found = await opened.registry.candidates({ capability: "sum" }, 1, () => place);
      expect(found).toMatchObject({ refused: 0, unseen: 4, rejected: [] });
      chosen.add(found.candidates[0]?.agent ?? "");
    }
    expect([...chosen].sort()).toEqual(["a", "b", "c", "d", "e"]);
  });
});

describe("an agent is no candidate", () => {
  it("when it is offline, and the reason says since when and why", async () => {
    await register({ name: "a", interval_seconds: 10 });
    const startedAt = opened.clock.now();
    opened.clock.advance(31_000);
    const since = new Date(startedAt + 30_000).toISOString();
    expect(await reasonOf("a")).toBe(`offline since ${since}: its lease has run out`);
    await opened.registry.beat("a", {});
    expect((await ask()).candidates).toMatchObject([{ agent: "a", state: "online" }]);
  });

  it("when it drains", async () => {
    await register({ name: "a" });
    await opened.registry.command("a", "drain");
    expect(await reasonOf("a")).toMatch(/^draining since .*: it was told to drain$/);
    await opened.registry.command("a", "resume");
    expect((await ask()).candidates).toHaveLength(1);
  });

  it("when it is retired, even for whoever asks for that stage", async () => {
    await register({ name: "a", stage: "retired" });
    expect(await reasonOf("a")).toBe("it is retired");
    expect(await reasonOf("a", { stage: "retired" })).toBe("it is retired");
  });

  it.each([
    ["its version is out of range", { version: "^2.0.0" }, "its version is 1.2.0"],
    ["a label differs", { labels: { team: "docs" } }, 'its label team is not "docs"'],
    ["the input does not fit", { input: { size: "big" } }, "the input does not fit: /size: must be number"],
    ["the asker says so", { refuse: () => "its circuit is open" }, "its circuit is open"],
    ["another stage is asked for", { stage: "testing" as const }, "its stage is production"],
  ])("when %s", async (_what, query: CandidateQuery, reason) => {
    await register({ name: "a" });
    expect(await reasonOf("a", query)).toBe(reason);
    const named = await opened.registry.candidate("a", { capability: "sum", ...query });
    expect(named).toEqual({ agent: "a", reason });
  });

  it("when it is in testing and one in production can do it", async () => {
    await register({ name: "a", stage: "testing" }, { name: "b" }, { name: "c", stage: "development" });
    expect(await reasonOf("a")).toBe("it is in testing, and one in production can do it");
    expect((await ask({ stage: "testing" })).candidates).toMatchObject([{ agent: "a" }]);
    await opened.registry.command("b", "drain");
    expect((await ask()).candidates).toMatchObject([{ agent: "a" }]);
    expect(await ask({ refuse: (agent) => (agent === "a" ? "no" : undefined) })).toMatchObject({
      candidates: [{ agent: "c" }],
      refused: 2,
    });
  });

  it("when the asker passed it over, and is named first", async () => {
    await register({ name: "a" }, { name: "b" }, { name: "c" });
    await opened.registry.command("a", "drain");
    const passedOver = ["c", "a", "nobody"].map((agent) => ({ agent, reason: "tried" }));
    const { candidates, ...rest } = await ask({ passedOver });
    expect(candidates).toMatchObject([{ agent: "b" }]);
    expect(rest).toEqual({ rejected: passedOver.slice(0, 2), refused: 2, unseen: 0 });
  });
});

describe("agents that do not fit", () => {
  it("are all counted, and the first twenty are named, without a look at each", async () => {
    const unfit = Array.from({ length: 30 }, (_, number) => ({ name: `agent-${number}` }));
    await register(...unfit, { name: "able", capabilities: [{ name: "sum" }] });
    await opened.registry.update("agent-7", { capabilities: [{ ...SUM, parameters: { type: "array" } }] });
    for (const place of [0, 0.3, 0.6, 0.9]) {
      const query = { capability: "sum", input: { size: "big" } };
      const found = await opened.registry.candidates(query, 10, () => place);
      expect(found).toMatchObject({ candidates: [{ agent: "able" }], refused: 30, unseen: 0 });
      expect(new Set(found.rejected.map(({ agent }) => agent)).size).toBe(20);
    }
    const nobody = await opened.registry.candidates({ capability: "sum", version: "9" }, 10, () => 0);
    expect(nobody).toMatchObject({ candidates: [], refused: 31, unseen: 0 });
    expect(nobody.rejected).toHaveLength(20);
  });
});

describe("an agent that is asked for by name", () => {
  it("is refused where it has no such capability, or does not exist", async () => {
    await register({ name: "a" });
    expect(await opened.registry.candidate("a", { capability: "fly" })).toEqual({
      agent: "a",
      reason: 'it has no capability "fly"',
    });
    expect(await opened.registry.candidate("b", {})).toEqual({
      agent: "b",
      reason: "there is no such agent",
    });
  });

  it("is taken whatever its stage, unless it is retired", async () => {
    await register({ name: "a", stage: "development" }, { name: "b" });
    expect(await opened.registry.candidate("a", { capability: "sum" })).toMatchObject({ state: "online" });
  });
});

describe("among many agents, some of them down, retired, unfit or refused,", () => {
  it("everybody is counted once, and nobody who was refused is a candidate", async () => {
    const states = ["up", "down", "draining", "retired", "testing", "unfit"] as const;
    const kinds = fc.array(fc.constantFrom(...states), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(kinds, fc.integer({ min: 1, max: 4 }), fc.nat(20), async (agents, limit, skipped) => {
        const { registry, clock } = opened;
        for (const { name } of (await registry.list({ limit: 100 })).items) await registry.deregister(name);
        const named = agents.map((kind, number) => ({ kind, name: `agent-${number}` }));
        for (const { kind, name } of named) {
          await register({
            name,
            interval_seconds: kind === "down" ? 5 : 3600,
            ...(kind === "retired" && { stage: "retired" as const }),
            ...(kind === "testing" && { stage: "testing" as const }),
            ...(kind === "unfit" && { capabilities: [{ name: "sum", parameters: { type: "string" } }] }),
          });
          if (kind === "draining") await registry.command(name, "drain");
        }
        clock.advance(16_000);
        const passedOver = [{ agent: `agent-${skipped}`, reason: "tried" }];
        const query = { capability: "sum", input: {}, passedOver };
        const found = await registry.candidates(query, limit, Math.random);
        expect(found.candidates.length + found.refused + found.unseen).toBe(agents.length);
        expect(found.rejected).toHaveLength(Math.min(found.refused, 20));
        const able = (kind: string): number =>
          named.filter((agent) => agent.kind === kind && agent.name !== `agent-${skipped}`).length;
        const expected = able("up") > 0 ? able("up") : able("testing");
        expect(found.candidates).toHaveLength(Math.min(limit, expected));
        const refused = new Set(found.rejected.map(({ agent }) => agent));
        expect(found.candidates.filter(({ agent }) => refused.has(agent))).toEqual([]);
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});
