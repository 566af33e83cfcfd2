// Cases of a store: what the registry keeps of agents.
import { expect, it } from "vitest";
import type { Lease, StoredRegistration } from "../../core/ports/registry-store.ts";
import type { Store, StoredAgent } from "../../core/ports/store.ts";

const REGISTRATION: StoredRegistration = {
  kind: "leased",
  labels: { team: "docs" },
  stage: "testing",
  interval_seconds: 10,
};

function agentOf(name: string): StoredAgent {
  const spec = { protocol: "envelope", transport: "inbox", url: `inbox:${name}` };
  const agent = { name, ...spec, address: `envelope+inbox:${name}`, created_at: new Date(5).toISOString() };
  return { agent, sealed: null, registration: REGISTRATION };
}

function leaseOf(agent: string): Lease {
  const command = { command: "drain" as const, commandedAt: 7 };
  return { agent, instance: "i1", beatAt: 10, draining: true, ...command, state: "online", since: 10 };
}

export function registryStoreCases(use: () => Store, reopen: () => Promise<Store>): void {
  it("keeps a registration and its lease together, also after a restart", async () => {
    await use().registry.put(agentOf("a"), leaseOf("a"), { replace: false });
    const store = await reopen();
    const { agent, registration } = agentOf("a");
    expect(await store.registry.load()).toEqual({
      agents: [{ agent, registration }],
      leases: [leaseOf("a")],
      measures: [],
      aliveAt: null,
    });
    expect(await store.readAgent("a")).toEqual(agentOf("a"));
  });

  it("refuses a registered name and leaves its lease alone, unless it is to be replaced", async () => {
    const { registry } = use();
    await registry.put(agentOf("a"), leaseOf("a"), { replace: false });
    const other = { ...leaseOf("a"), instance: "i2" };
    await expect(registry.put(agentOf("a"), other, { replace: false })).rejects.toMatchObject({
      code: "AGENT_EXISTS",
    });
    expect((await registry.load()).leases).toEqual([leaseOf("a")]);
    await registry.put(agentOf("a"), other, { replace: true });
    expect((await registry.load()).leases).toEqual([other]);
  });

  it("keeps beats and that the hub was alive, and brings no removed agent back", async () => {
    await use().registry.put(agentOf("a"), leaseOf("a"), { replace: false });
    const beats = ["a", "gone"].map((agent) => ({ agent, at: 20 }));
    await use().registry.beats(beats, 21);
    await use().registry.note([{ agent: "gone", at: 20, state: "offline", reason: "x" }], 22);
    const { leases, aliveAt } = await (await reopen()).registry.load();
    expect(leases).toEqual([{ ...leaseOf("a"), beatAt: 20 }]);
    expect(aliveAt).toBe(22);
  });

  it("keeps the last thousand changes of an agent's state, newest first, page by page", async () => {
    const { registry } = use();
    await registry.put(agentOf("a"), leaseOf("a"), { replace: false });
    const entries = Array.from({ length: 1002 }, (_, at) => ({
      agent: "a",
      at,
      state: at % 2 === 0 ? ("online" as const) : ("suspect" as const),
      reason: `change ${at}`,
    }));
    await registry.note(entries, null);
    const first = await registry.history("a", { limit: 600 });
    expect(first.items[0]).toEqual({
      at: new Date(1001).toISOString(),
      state: "suspect",
      reason: "change 1001",
    });
    const rest = await registry.history("a", { limit: 600, cursor: first.next_cursor ?? "" });
    expect(first.items.length + rest.items.length).toBe(1000);
    expect(rest.next_cursor).toBeNull();
    expect((await registry.load()).leases).toMatchObject([{ state: "suspect", since: 1001 }]);
    await expect(registry.history("b", { cursor: first.next_cursor ?? "" })).rejects.toMatchObject({
      code: "INVALID_CURSOR",
    });
  });

  it("forgets everything about an agent that is removed", async () => {
    const store = use();
    await store.registry.put(agentOf("a"), leaseOf("a"), { replace: false });
    await store.registry.note([{ agent: "a", at: 1, state: "offline", reason: "x" }], null);
    await store.registry.measure([{ agent: "a", document: { runs: 3 } }]);
    expect((await store.registry.load()).measures).toEqual([{ agent: "a", document: { runs: 3 } }]);
    await store.removeAgent("a");
    expect(await store.registry.load()).toMatchObject({ agents: [], leases: [], measures: [] });
    expect((await store.registry.history("a", {})).items).toEqual([]);
  });
}
