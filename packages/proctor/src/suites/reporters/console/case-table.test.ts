import pc from "picocolors";
import { describe, expect, it } from "vitest";
import { textWidth } from "../columns.ts";
import { attempt, attempts, plan, result } from "../../../../test/support/reporters/results.ts";
import { createCaseRows } from "./case-rows.ts";
import { caseTable } from "./case-table.ts";

const AGENTS = ["support-bot-large-2026", "support-bot-small-2026"];
const IDS = ["refund[late]", "order-unknown", "address-change-in-transit"];

/** Of many cases only one ran several times: rate, pass^k, p50 and p95 are empty in all rows but one. */
function table(columns: number, ids = IDS): string[] {
  const planned = plan(ids, { agents: AGENTS });
  const rows = createCaseRows(50);
  for (const [index] of planned.cases.entries()) {
    const runs =
      index === 0
        ? attempts(["pass", "pass", "fail", "pass"], { score: 80 })
        : [attempt("pass", { score: 91 })];
    rows.add(result(planned, index, runs));
  }
  return caseTable(rows, pc.createColors(false), columns);
}

describe("the table of cases", () => {
  it.each([80, 120])("shows names whole at %i columns: sparse columns give way to them", (columns) => {
    const lines = table(columns);

    for (const line of lines) expect(textWidth(line)).toBeLessThan(columns);
    for (const id of IDS) {
      for (const agent of AGENTS)
        expect(lines.some((line) => line.startsWith(`${id} [${agent}]`))).toBe(true);
    }
    expect(lines[0]).toMatch(/^case +passed .*score/);
  });

  it("has all columns where there is room for them", () => {
    expect(table(200)[0]).toMatch(/^case +passed +rate +pass\^k +score$/);
  });

  it("cuts the test's id before the agent's name when nothing else is left to give way", () => {
    const long = "a-test-with-an-id-that-nobody-would-ever-want-to-type-again-and-again";
    const lines = table(60, [long]);

    for (const line of lines) expect(textWidth(line)).toBeLessThan(60);
    for (const agent of AGENTS) expect(lines.some((line) => line.includes(`… [${agent}]`))).toBe(true);
  });
});
