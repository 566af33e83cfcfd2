import { expect, it } from "vitest";
import { createToolLedger } from "./tool-ledger.ts";

const call = (tool: string, input: { [key: string]: string }) =>
  ({ tool, input, status: "success", duration_ms: 1, mode: "mock" }) as const;

it("the tool ledger finds nothing to say when every call was made and reported, in whatever order", () => {
  const ledger = createToolLedger(["search", "write"]);
  ledger.observed(call("search", { q: "a", lang: "en" }));
  ledger.observed(call("write", { to: "x" }));
  ledger.reported({ tool: "write", input: { to: "x" } });
  ledger.reported({ tool: "search", input: { lang: "en", q: "a" } });
  expect(ledger.settle()).toEqual([]);
});

it("the tool ledger counts the start and the end of one call once", () => {
  const ledger = createToolLedger(["search"]);
  ledger.observed(call("search", { q: "a" }));
  ledger.reported({ tool: "search", input: { q: "a" }, status: "started", call_id: "1" });
  ledger.reported({ tool: "search", input: { q: "a" }, status: "success", call_id: "1" });
  expect(ledger.settle()).toEqual([]);
});

it("the tool ledger tells invented, hidden and altered calls apart", () => {
  const ledger = createToolLedger(["search", "write", "read"]);
  ledger.observed(call("search", { q: "a" }));
  ledger.reported({ tool: "search", input: { q: "b" } });
  ledger.observed(call("write", { to: "x" }));
  ledger.reported({ tool: "read", input: { from: "y" } });
  expect(ledger.settle().map(({ rule, where }) => [rule, where])).toEqual([
    ["tool.unobserved", "tool read"],
    ["tool.unreported", "tool write"],
    ["tool.misreported", "tool search"],
  ]);
});

it("the tool ledger leaves an agent's own tools alone", () => {
  const ledger = createToolLedger(["search"]);
  ledger.reported({ tool: "my_own", input: {} });
  expect(ledger.settle()).toEqual([]);
});
