// Every promise of the Registry port, for any implementation: in this process, or elsewhere over HTTP.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expectError } from "../../../test/support/expect-error.ts";
import { HANG_MS } from "../../../test/support/eventually.ts";
import type { ManualClock } from "../../../test/support/manual-clock.ts";
import { nested } from "../../../test/support/nested.ts";
import type { Registration, RegistryChange } from "../registration.ts";
import type { Registry } from "./registry.ts";

export interface OpenedRegistry {
  registry: Registry;
  clock: ManualClock;
  close(): Promise<void>;
}

const WRITER: Registration = {
  name: "writer",
  endpoint: "atp+http://127.0.0.1:9/execute",
  version: "1.4.2",
  description: "Writes",
  labels: { team: "docs" },
  stage: "testing",
  metadata: { region: "eu" },
  capabilities: [
    {
      name: "write",
      parameters: { type: "object", required: ["topic"], properties: { topic: { type: "string" } } },
      returns: { type: "object" },
      idempotent: true,
      cost: { usd: 0.01 },
    },
  ],
};
const SECOND = 1000;

/** `open` makes a new, empty registry each time. */
export function registryCases(name: string, open: () => Promise<OpenedRegistry>): void {
  let opened: OpenedRegistry;
  let registry: Registry;
  const state = async (agent = "writer") => (await registry.get(agent)).health.state;

  describe(`the registry ${name}`, () => {
    beforeEach(async () => {
      opened = await open();
      ({ registry } = opened);
    });
    afterEach(() => opened.close());

    it("registers an agent, which is online and holds a lease of three intervals", async () => {
      const { agent, instance, ...rest } = await registry.register(WRITER);
      expect(rest).toEqual({ created: true, interval_seconds: 30, lease_seconds: 90 });
      expect(instance).toMatch(/^[0-9a-f-]{36}$/);
      expect(agent).toMatchObject({
        name: "writer",
        address: "atp+http://127.0.0.1:9/execute",
        version: "1.4.2",
        kind: "leased",
        labels: { team: "docs" },
        stage: "testing",
        metadata: { region: "eu" },
        capabilities: WRITER.capabilities,
        health: { state: "online", load: null, trouble: null, measured: { runs: 0 } },
      });
      expect(await registry.get("writer")).toEqual(agent);
    });

    it("registers an agent again as a new instance, and the beats of the old one count no more", async () => {
      const first = await registry.register(WRITER);
      const second = await registry.register({ ...WRITER, version: "1.5.0" });
      expect(second).toMatchObject({ created: false, agent: { version: "1.5.0" } });
      expect(second.agent.created_at).toBe(first.agent.created_at);
      const old = Promise.resolve().then(() => registry.beat("writer", { instance: first.instance }));
      await expectError(old, "LEASE_LOST", /another instance/);
      expect(await registry.beat("writer", { instance: second.instance })).toMatchObject({ state: "online" });
    });

    it("answers a beat with the state, the interval and the commands", async () => {
      const { instance } = await registry.register({ ...WRITER, interval_seconds: 10 });
      const load = { active: 2, capacity: 8, queued: 1, gpu: 0.5 };
      expect(await registry.beat("writer", { instance, load, health: "low on disk" })).toEqual({
        state: "online",
        interval_seconds: 10,
        lease_seconds: 30,
        commands: [],
      });
      expect((await registry.get("writer")).health).toMatchObject({ load, trouble: "low on disk" });
      await registry.beat("writer", { instance, health: "ok" });
      expect((await registry.get("writer")).health).toMatchObject({ load, trouble: null });
    });

    it("takes an agent that stops beating for suspect after 1.5 intervals and for offline after three", async () => {
      await registry.register(WRITER);
      opened.clock.advance(45 * SECOND - 1);
      expect(await state()).toBe("online");
      opened.clock.advance(1);
      expect(await state()).toBe("suspect");
      opened.clock.advance(45 * SECOND - 1);
      expect(await state()).toBe("suspect");
      opened.clock.advance(1);
      expect(await state()).toBe("offline");
      await registry.beat("writer", {});
      expect(await state()).toBe("online");
    });

    it("keeps an agent that is down in the list, with its history", async () => {
      await registry.register(WRITER);
      opened.clock.advance(91 * SECOND);
      const { items } = await registry.list({});
      expect(items).toMatchObject([{ name: "writer", health: { state: "offline" } }]);
      const history = await registry.history("writer", {});
      expect(history.items.map((entry) => entry.state)).toEqual(["offline", "suspect", "online"]);
      expect(history.items[0]).toMatchObject({ reason: "its lease has run out" });
      const page = await registry.history("writer", { limit: 2 });
      expect(page.items).toHaveLength(2);
      const rest = await registry.history("writer", { cursor: page.next_cursor ?? "" });
      expect(rest.items).toEqual(history.items.slice(2));
    });

    it("tells an agent to drain, and to resume, with the answers to its beats", async () => {
      await registry.register(WRITER);
      expect(await registry.command("writer", "drain")).toMatchObject({ health: { state: "draining" } });
      expect(await registry.beat("writer", {})).toMatchObject({ state: "draining", commands: ["drain"] });
      expect(await registry.beat("writer", {})).toMatchObject({ commands: ["drain"] });
      await registry.command("writer", "resume");
      expect(await registry.beat("writer", {})).toMatchObject({ state: "online", commands: ["resume"] });
      opened.clock.advance(91 * SECOND);
      expect(await registry.beat("writer", {})).toMatchObject({ commands: [] });
      await registry.command("writer", "stop");
      expect(await registry.beat("writer", {})).toMatchObject({ state: "draining", commands: ["stop"] });
      await registry.register(WRITER);
      expect(await registry.beat("writer", {})).toMatchObject({ state: "online", commands: [] });
    });

    it("believes an agent that says it drains", async () => {
      await registry.register(WRITER);
      expect(await registry.beat("writer", { draining: true })).toMatchObject({ state: "draining" });
      expect(await registry.beat("writer", { draining: false })).toMatchObject({ state: "online" });
    });

    it("changes what is given and leaves the rest", async () => {
      await registry.register(WRITER);
      const changed = await registry.update("writer", { stage: "retired", labels: { team: "ops" } });
      expect(changed).toMatchObject({
        address: "atp+http://127.0.0.1:9/execute",
        version: "1.4.2",
        stage: "retired",
        labels: { team: "ops" },
        metadata: { region: "eu" },
        capabilities: WRITER.capabilities,
      });
      const moved = await registry.update("writer", { endpoint: "atp+http://127.0.0.1:10/x" });
      expect(moved).toMatchObject({
        address: "atp+http://127.0.0.1:10/x",
        stage: "retired",
        version: "1.4.2",
      });
    });

    it("forgets an agent that deregisters, with its history", async () => {
      await registry.register(WRITER);
      await registry.deregister("writer");
      await expectError(registry.get("writer"), "AGENT_NOT_FOUND");
      await expectError(
        Promise.resolve().then(() => registry.beat("writer", {})),
        "AGENT_NOT_FOUND",
      );
      await expectError(registry.deregister("writer"), "AGENT_NOT_FOUND");
      await registry.register(WRITER);
      expect((await registry.history("writer", {})).items).toHaveLength(1);
    });

    it("lists by capability, label, stage and state, page by page", async () => {
      for (const agent of ["c", "a", "b"]) await registry.register({ ...WRITER, name: agent });
      await registry.register({ name: "z", stage: "production" });
      const names = async (query: Parameters<Registry["list"]>[0]) =>
        (await registry.list(query)).items.map((agent) => agent.name);
      expect(await names({})).toEqual(["a", "b", "c", "z"]);
      expect(await names({ capability: "write" })).toEqual(["a", "b", "c"]);
      expect(await names({ labels: { team: "docs" }, stage: "testing", state: ["online"] })).toHaveLength(3);
      expect(await names({ labels: { team: "ops" } })).toEqual([]);
      expect(await names({ stage: "production" })).toEqual(["z"]);
      expect(await names({ state: ["offline", "suspect"] })).toEqual([]);
      const first = await registry.list({ limit: 2 });
      expect(await names({ limit: 2, cursor: first.next_cursor ?? "" })).toEqual(["c", "z"]);
      await expectError(registry.list({ cursor: "nonsense" }), "INVALID_CURSOR");
    });

    it("counts no verdict on a run that it does not know, and refuses what is none", async () => {
      await registry.register(WRITER);
      expect(await registry.judged([{ run_id: "unknown", passed: true }])).toEqual({ counted: 0 });
      expect((await registry.get("writer")).health.measured).toMatchObject({ judged: 0, quality: null });
      const many = Array.from({ length: 1001 }, (_, run) => ({ run_id: `run-${run}`, passed: true }));
      await expectError(registry.judged(many), "INVALID_REQUEST");
    });

    it("finds who takes this very input, and says why others do not", async () => {
      await registry.register(WRITER);
      const other = { type: "object", required: ["theme"] };
      await registry.register({ name: "poet", capabilities: [{ name: "write", parameters: other }] });
      await registry.register({ ...WRITER, name: "old", stage: "retired" });
      await registry.register({ ...WRITER, name: "busy" });
      await registry.command("busy", "drain");
      const found = await registry.search({ capability: "write", input: { topic: "rain" } });
      expect(found.matches.map(({ agent, capability }) => [agent.name, capability])).toEqual([
        ["writer", "write"],
      ]);
      expect(found.total).toBe(1);
      expect(Object.fromEntries(found.rejected.map(({ agent, reason }) => [agent, reason]))).toEqual({
        poet: expect.stringMatching(/input does not fit.*theme/) as string,
        old: "it is retired",
        busy: "it is draining",
      });
    });

    it("finds by version, label and stage, the least busy of those online first", async () => {
      for (const [agent, active, version] of [
        ["full", 8, "1.9.0"],
        ["idle", 0, "1.4.0"],
        ["next", 4, "2.0.0"],
      ] as const) {
        await registry.register({ ...WRITER, name: agent, version });
        await registry.beat(agent, { load: { active, capacity: 8 } });
      }
      const names = async (query: Parameters<Registry["search"]>[0]) =>
        (await registry.search(query)).matches.map(({ agent }) => agent.name);
      expect(await names({ capability: "write" })).toEqual(["idle", "next", "full"]);
      expect(await names({ capability: "write", limit: 1 })).toEqual(["idle"]);
      expect(await names({ capability: "write", version: "^1.4.0" })).toEqual(["idle", "full"]);
      expect(await names({ capability: "write", labels: { team: "ops" } })).toEqual([]);
      expect(await names({ capability: "write", stage: "production" })).toEqual([]);
      expect(await names({ capability: "paint" })).toEqual([]);
      await expectError(registry.search({ version: "seven" }), "INVALID_REQUEST", /no range/);
      opened.clock.advance(46 * SECOND);
      await registry.beat("full", {});
      expect(await names({ capability: "write" })).toEqual(["full", "idle", "next"]);
    });

    it("shows a watcher all agents, then each change, and goes on where it was left", async () => {
      await registry.register(WRITER);
      const stop = new AbortController();
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(HANG_MS)]);
      const seen: RegistryChange[] = [];
      for await (const change of registry.watch(undefined, signal)) {
        seen.push(change);
        if (seen.length === 1) await registry.command("writer", "drain");
        if (seen.length === 2) stop.abort();
      }
      expect(seen.map(({ type, agent, document }) => [type, agent, document?.health.state])).toEqual([
        ["registered", "writer", "online"],
        ["state", "writer", "draining"],
      ]);
      await registry.deregister("writer");
      const rest: RegistryChange[] = [];
      const leave = new AbortController();
      for await (const change of registry.watch(seen[1]?.sequence, leave.signal)) {
        rest.push(change);
        leave.abort();
      }
      expect(rest).toMatchObject([{ type: "removed", agent: "writer" }]);
      expect(rest[0]).not.toHaveProperty("document");
    });

    it("begins anew for a watcher whose place is unknown", async () => {
      await registry.register(WRITER);
      const leave = new AbortController();
      for await (const change of registry.watch(7, leave.signal)) {
        expect(change).toMatchObject({ type: "registered", agent: "writer" });
        leave.abort();
      }
    });

    it.each([
      ["a name that is not safe", { name: "../x" }, /name/],
      ["an unknown field", { endpiont: "x" }, /endpiont/],
      ["a wrong stage", { stage: "someday" }, /stage/],
      ["too short an interval", { interval_seconds: 1 }, /interval_seconds/],
      ["an endpoint that is no address", { endpoint: "somewhere" }, /neither an address nor a URL/],
      ["two capabilities of one name", { capabilities: [{ name: "x" }, { name: "x" }] }, /same name/],
      [
        "parameters that are no schema",
        { capabilities: [{ name: "x", parameters: { type: "thing" } }] },
        /no JSON Schema/,
      ],
      [
        "returns that refer to elsewhere",
        { capabilities: [{ name: "x", returns: { $ref: "http://example.com/s.json" } }] },
        /returns/,
      ],
    ])("refuses a registration with %s", async (_what, change, message) => {
      await expectError(
        registry.register({ ...WRITER, ...change } as Registration),
        "INVALID_REQUEST",
        message,
      );
      expect((await registry.list({})).items).toEqual([]);
    });

    it.each([null, [], "writer", 7, {}])("refuses %j for a registration", async (given) => {
      await expectError(registry.register(given as never), "INVALID_REQUEST");
    });

    it.each([
      ["a load that is nonsense", { load: { active: -1 } }],
      ["a load that is not finite", { load: { active: "many" } }],
      ["an unknown field", { lod: {} }],
      ["nothing at all", null],
      ["a list", []],
      ["too much to say", { health: "x".repeat(501) }],
    ])("refuses a beat with %s, which changes nothing", async (_what, beat) => {
      await registry.register(WRITER);
      opened.clock.advance(46 * SECOND);
      const refused = Promise.resolve().then(() => registry.beat("writer", beat as never));
      await expectError(refused, "INVALID_REQUEST");
      expect(await state()).toBe("suspect");
    });

    it.each([
      ["300 levels deep", 300],
      ["so deep that no stack would do", 100_000],
    ])("refuses what is nested %s, in a registration, a change and a search", async (_what, levels) => {
      const deep = nested(levels);
      const wrong = /nested more than 200 levels deep/;
      const capabilities = [{ name: "dig", parameters: deep }];
      await expectError(registry.register({ ...WRITER, capabilities }), "INVALID_REQUEST", wrong);
      await expectError(registry.register({ ...WRITER, metadata: deep }), "INVALID_REQUEST", wrong);
      await registry.register(WRITER);
      const returns = [{ name: "dig", returns: deep }];
      await expectError(registry.update("writer", { capabilities: returns }), "INVALID_REQUEST", wrong);
      await expectError(registry.search({ capability: "write", input: deep }), "INVALID_REQUEST", wrong);
      expect((await registry.search({ capability: "write", input: { topic: "x" } })).total).toBe(1);
    });

    it("refuses beats from the past", async () => {
      await registry.register(WRITER);
      await registry.beat("writer", { sequence: 5 });
      for (const sequence of [5, 4]) {
        const late = Promise.resolve().then(() => registry.beat("writer", { sequence }));
        await expectError(late, "LEASE_LOST", /from the past/);
      }
      await registry.beat("writer", { sequence: 6 });
    });

    it("refuses more than ten beats of an agent within a second", async () => {
      await registry.register(WRITER);
      for (let beat = 0; beat < 10; beat++) await registry.beat("writer", {});
      const eleventh = Promise.resolve().then(() => registry.beat("writer", {}));
      await expectError(eleventh, "RATE_LIMITED");
      opened.clock.advance(SECOND);
      expect(await registry.beat("writer", {})).toMatchObject({ state: "online" });
    });
  });
}
