// Restarts of the hub: what was acknowledged is there again, and nobody is declared dead because the hub was away.
import { afterEach, describe, expect, it } from "vitest";
import { openTestRegistry, type TestRegistry } from "../../test/support/test-registry.ts";

let opened: TestRegistry;
afterEach(() => opened.close());

const state = async (name: string) => (await opened.registry.get(name)).health.state;

describe("after a restart of the hub, an agent", () => {
  it("that was online is unknown until it beats, however long the hub was away", async () => {
    opened = await openTestRegistry();
    const { instance } = await opened.registry.register({ name: "a" });
    opened.clock.advance(24 * 3600_000);
    // It was suspect and offline while the hub lived; now beats come again, and the hub is killed.
    await opened.registry.beat("a", { instance });
    opened.clock.advance(2000);
    await opened.registry.history("a", {});
    opened = await opened.crash();
    opened.clock.advance(24 * 3600_000);
    opened = await opened.crash();
    expect(await state("a")).toBe("unknown");
    expect(await opened.registry.beat("a", { instance })).toMatchObject({ state: "online" });
  });

  it("that does not beat again is offline after one lease, and not before", async () => {
    opened = await openTestRegistry();
    await opened.registry.register({ name: "a" });
    opened.clock.advance(1000);
    opened = await opened.crash();
    opened.clock.advance(89_999);
    expect(await state("a")).toBe("unknown");
    opened.clock.advance(1);
    expect(await state("a")).toBe("offline");
    const { items } = await opened.registry.history("a", {});
    expect(items.map((entry) => entry.state)).toEqual(["offline", "online"]);
  });

  it("that was offline before is offline still", async () => {
    opened = await openTestRegistry();
    await opened.registry.register({ name: "a" });
    opened.clock.advance(91_000);
    await opened.registry.history("a", {});
    opened = await opened.crash();
    expect(await state("a")).toBe("offline");
  });

  it("keeps its commands, its instance and its definition", async () => {
    opened = await openTestRegistry();
    const { instance } = await opened.registry.register({
      name: "a",
      version: "2.0.0",
      stage: "testing",
      labels: { x: "y" },
      capabilities: [{ name: "sum" }],
    });
    await opened.registry.command("a", "drain");
    opened = await opened.crash();
    expect(await opened.registry.get("a")).toMatchObject({
      version: "2.0.0",
      stage: "testing",
      labels: { x: "y" },
      health: { state: "draining" },
    });
    expect(await opened.registry.beat("a", { instance })).toMatchObject({ commands: ["drain"] });
    const other = Promise.resolve().then(() => opened.registry.beat("a", { instance: "other" }));
    await expect(other).rejects.toMatchObject({ code: "LEASE_LOST" });
    expect((await opened.registry.search({ capability: "sum" })).rejected).toEqual([
      { agent: "a", reason: "it is draining" },
    ]);
  });

  it("that a command changed while no hub was at work is not declared dead by it", async () => {
    opened = await openTestRegistry();
    await opened.registry.register({ name: "a" });
    await opened.registry.register({ name: "b" });
    opened.clock.advance(1000);
    opened = await opened.crash();
    await opened.registry.close();
    const alive = (await opened.store.registry.load()).aliveAt;
    opened.clock.advance(3600_000);
    await opened.store.registry.note(
      [{ agent: "a", at: opened.clock.now(), state: "draining", reason: "x" }],
      null,
    );
    expect((await opened.store.registry.load()).aliveAt).toBe(alive);
    opened = await opened.crash();
    expect(await state("b")).toBe("unknown");
  });
});
