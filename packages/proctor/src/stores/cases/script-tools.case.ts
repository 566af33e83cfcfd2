// Cases of a store: tools that are scripts.
import { expect, it } from "vitest";
import type { Store } from "../../core/ports/store.ts";
import type { ScriptTool } from "../../core/script-tool.ts";

const TOOL: ScriptTool = {
  name: "add",
  language: "javascript",
  source: "function run({ a, b }) { return a + b; }",
  parameters: { type: "object", properties: { a: { type: "number" } } },
  limits: { time_ms: 5 },
  sha256: "0".repeat(64),
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
};

export function scriptToolCases(use: () => Store, reopen: () => Promise<Store>): void {
  it("keeps a script tool as it was given, also after a restart", async () => {
    expect(await use().scriptTools.put(TOOL, false)).toEqual(TOOL);
    const { scriptTools } = await reopen();
    expect(await scriptTools.read("add")).toEqual(TOOL);
    expect(await scriptTools.read("other")).toBeUndefined();
  });

  it("refuses a second script tool of the same name unless it replaces the first", async () => {
    const { scriptTools } = use();
    await scriptTools.put(TOOL, false);
    const later = { ...TOOL, source: "function run() {}", created_at: "2027-01-01T00:00:00.000Z" };
    await expect(scriptTools.put(later, false)).rejects.toMatchObject({ code: "TOOL_EXISTS" });
    expect(await scriptTools.read("add")).toEqual(TOOL);
    const kept = { ...later, created_at: TOOL.created_at };
    expect(await scriptTools.put(later, true)).toEqual(kept);
    expect(await scriptTools.read("add")).toEqual(kept);
  });

  it("keeps one of the script tools that are given the same name at the same time", async () => {
    const { scriptTools } = use();
    const put = await Promise.allSettled(Array.from({ length: 10 }, () => scriptTools.put(TOOL, false)));
    expect(put.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("lists script tools by name, page by page", async () => {
    const { scriptTools } = use();
    for (const name of ["c", "a", "b"]) await scriptTools.put({ ...TOOL, name }, false);
    const first = await scriptTools.list({ limit: 2 });
    expect(first.items.map(({ name }) => name)).toEqual(["a", "b"]);
    const second = await scriptTools.list({ limit: 2, cursor: first.next_cursor ?? "" });
    expect(second).toMatchObject({ items: [{ name: "c" }], next_cursor: null });
    await expect(scriptTools.list({ cursor: "nonsense" })).rejects.toMatchObject({ code: "INVALID_CURSOR" });
  });

  it("removes a script tool once", async () => {
    const { scriptTools } = use();
    await scriptTools.put(TOOL, false);
    expect(await scriptTools.remove("add")).toBe(true);
    expect(await scriptTools.remove("add")).toBe(false);
    expect(await scriptTools.read("add")).toBeUndefined();
  });

  it("refuses a script tool whose name holds NUL", async () => {
    await expect(use().scriptTools.put({ ...TOOL, name: "a\0b" }, false)).rejects.toMatchObject({
      code: "INVALID_REQUEST",
    });
  });
}
