// Script tools among the agents of the registry: found, shown and watched like agents, and changed only where tools are.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expectError } from "../../test/support/expect-error.ts";
import { openTestRegistry, type TestRegistry } from "../../test/support/test-registry.ts";
import type { ScriptTool } from "../core/script-tool.ts";

let opened: TestRegistry;
beforeEach(async () => {
  opened = await openTestRegistry();
});
afterEach(() => opened.close());

const WHEN = "2026-01-01T00:00:00.000Z";
const tool: ScriptTool = {
  name: "slug",
  description: "Makes a slug",
  version: "1.1.0",
  language: "javascript",
  source: "const run = ({ text }) => text",
  parameters: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
  returns: { type: "string" },
  sha256: "",
  created_at: WHEN,
  updated_at: WHEN,
};

async function put(given: ScriptTool = tool): Promise<void> {
  await opened.store.scriptTools.put(given, true);
  opened.registry.toolChanged(given.name, given);
}

describe("a script tool in the registry", () => {
  it("is found by its name as a capability, though nobody registered it", async () => {
    await put();
    const { matches, total } = await opened.registry.search({
      capability: "slug",
      input: { text: "A b" },
      version: "^1.0.0",
    });
    expect(total).toBe(1);
    expect(matches[0]).toMatchObject({
      capability: "slug",
      agent: {
        name: "script-tool:slug",
        address: "script-tool:slug",
        kind: "managed",
        health: { state: "online", since: WHEN },
        capabilities: [{ name: "slug", parameters: tool.parameters, returns: tool.returns }],
      },
    });
  });

  it("is left out with the reason where the input does not fit", async () => {
    await put();
    const { rejected } = await opened.registry.search({ capability: "slug", input: { text: 1 } });
    expect(rejected).toMatchObject([{ agent: "script-tool:slug" }]);
  });

  it("is there after a restart, is changed by another of its name, and is gone when it is removed", async () => {
    await put();
    opened = await opened.crash();
    expect((await opened.registry.list({ capability: "slug" })).items).toHaveLength(1);
    await put({ ...tool, version: "2.0.0" });
    expect((await opened.registry.get("script-tool:slug")).version).toBe("2.0.0");
    await opened.store.scriptTools.remove("slug");
    opened.registry.toolChanged("slug", undefined);
    expect((await opened.registry.search({ capability: "slug" })).total).toBe(0);
  });

  it("has its input and its output held to its schemas", async () => {
    await put();
    const { registry } = opened;
    await expectError(registry.checkInput("script-tool:slug", "slug", {}), "INVALID_REQUEST");
    await registry.checkInput("script-tool:slug", "slug", { text: "a" });
    expect(await registry.checkOutput("script-tool:slug", "slug", 1)).toMatchObject({ policy: "violation" });
  });

  it("is told to those who watch", async () => {
    const leave = new AbortController();
    const seen: string[] = [];
    await opened.registry.register({ name: "first" });
    const watching = (async () => {
      for await (const { type, agent } of opened.registry.watch(undefined, leave.signal)) {
        seen.push(`${type} ${agent}`);
        if (agent === "first" && type === "registered") await put();
        if (agent === "script-tool:slug") break;
      }
    })();
    await watching;
    leave.abort();
    expect(seen.at(-1)).toBe("registered script-tool:slug");
  });

  it("is nobody's to change, to beat for or to remove here", async () => {
    await put();
    const { registry } = opened;
    const name = "script-tool:slug";
    await expectError(registry.update(name, { stage: "retired" }), "NOT_SUPPORTED");
    await expectError(registry.deregister(name), "NOT_SUPPORTED");
    await expectError(registry.command(name, "drain"), "NOT_SUPPORTED");
    await expectError((async () => registry.beat(name, {}))(), "NOT_SUPPORTED");
    expect((await registry.history(name, {})).items).toEqual([]);
  });

  it("stands in lists of several pages", async () => {
    await put();
    await put({ ...tool, name: "other" });
    const first = await opened.registry.list({ limit: 1 });
    const rest = await opened.registry.list({ limit: 1, cursor: first.next_cursor ?? "" });
    expect([...first.items, ...rest.items].map(({ name }) => name)).toEqual([
      "script-tool:other",
      "script-tool:slug",
    ]);
  });
});
