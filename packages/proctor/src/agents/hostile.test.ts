// Schemas of agents that would stop the hub, and what else a hostile agent may say of itself.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { soonTooSlow } from "../../test/support/soon-too-slow.ts";
import { openTestRegistry, type TestRegistry } from "../../test/support/test-registry.ts";
import type { JsonObject } from "../core/json.ts";

let opened: TestRegistry;
beforeEach(async () => {
  opened = await openTestRegistry();
});
afterEach(() => opened.close());

const register = (name: string, parameters: JsonObject) =>
  opened.registry.register({ name, capabilities: [{ name: "work", parameters }] });

describe("a hostile agent", () => {
  it("whose schema takes too long to apply is left out, once and for all, and others are found", async () => {
    await register("slow", { type: "string", pattern: "^(a+)+$" });
    await register("fine", { type: "string" });
    const query = { capability: "work", input: `${"a".repeat(40)}!` };
    const found = await soonTooSlow(() => opened.registry.search(query));
    expect(found.matches.map(({ agent }) => agent.name)).toEqual(["fine"]);
    expect(found.rejected).toMatchObject([{ agent: "slow" }]);
    const again = await opened.registry.search({ capability: "work", input: "a" });
    expect(again.rejected).toMatchObject([
      { agent: "slow", reason: expect.stringMatching(/cannot be applied.*too slow/) as string },
    ]);
  });

  it("cannot register a schema that is too large", async () => {
    const large = { enum: Array.from({ length: 30_000 }, (_, index) => `value ${index}`) };
    await expect(register("large", large)).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    expect((await opened.registry.list({})).items).toEqual([]);
  });

  it("may have names of the language's own as capabilities, labels and name", async () => {
    await opened.registry.register({
      name: "constructor",
      labels: { constructor: "x" },
      capabilities: [{ name: "__proto__" }, { name: "toString" }],
    });
    const { matches } = await opened.registry.search({ capability: "__proto__" });
    expect(matches).toHaveLength(1);
    expect((await opened.registry.search({ capability: "hasOwnProperty" })).matches).toEqual([]);
    const found = await opened.registry.search({ labels: { toString: "x" } });
    expect(found.matches).toEqual([]);
  });

  it.each([
    [{ capabilities: Array.from({ length: 101 }, (_, index) => ({ name: `c${index}` })) }],
    [{ labels: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`l${index}`, ""])) }],
    [{ metadata: { text: "x".repeat(20_001) } }],
    [{ labels: { "a b": "x" } }],
    [{ spec: { protocol: "rest", transport: "http", url: "http://x/", headers: { "a\nb": "c" } } }],
  ])("cannot say too much of itself (%#)", async (said) => {
    const refused = opened.registry.register({ name: "a", ...said });
    await expect(refused).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  });

  it("keeps its secrets where nobody reads them", async () => {
    const spec = {
      protocol: "rest",
      transport: "http",
      url: "http://127.0.0.1:9/",
      headers: { key: "sk-secret" },
    };
    await opened.registry.register({ name: "a", spec });
    expect(JSON.stringify(await opened.registry.get("a"))).not.toContain("sk-secret");
    await opened.registry.update("a", { version: "2.0.0" });
    const stored = await opened.store.readAgent("a");
    expect(stored?.sealed).toEqual(expect.any(String));
    expect(JSON.stringify(stored)).not.toContain("sk-secret");
  });
});
