// A baseline as a file that people commit: the same results give the same bytes, cases in order, a line for each run.
import type { ResultCase, ResultRun, ResultSet } from "./comparison.ts";
import { byName } from "./pair-cases.ts";
import { BASELINE_TYPE, BASELINE_VERSION } from "./result-schemas.ts";

export function renderBaseline({ created_at, incomplete, cases }: ResultSet): string {
  const head = {
    type: BASELINE_TYPE,
    version: BASELINE_VERSION,
    created_at,
    ...(incomplete !== undefined && { incomplete }),
  };
  const entries = Object.entries(head).map(
    ([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},\n`,
  );
  const sorted = cases.toSorted(byName).map(renderCase);
  return `{\n${entries.join("")}  "cases": [${list(sorted, 2)}]\n}\n`;
}

function renderCase({ suite, test_id, agent, key, outcome, gated, runs }: ResultCase): string {
  const identity = { suite, test_id, agent, key, outcome, ...(gated !== undefined && { gated }) };
  const entries = Object.entries(identity).map(
    ([name, value]) => `      ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`,
  );
  return `    {\n${entries.join("")}      "runs": [${list(runs.map(renderRun), 6)}]\n    }`;
}

function renderRun({ outcome, score, duration_ms, total_tokens, cost_usd }: ResultRun): string {
  const run = { outcome, score, duration_ms: duration_ms && Math.round(duration_ms), total_tokens, cost_usd };
  // This layout is the one that formatters produce.
  const entries = Object.entries(run).map(
    ([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  );
  return `        { ${entries.join(", ")} }`;
}

function list(items: readonly string[], columns: number): string {
  return items.length === 0 ? "" : `\n${items.join(",\n")}\n${" ".repeat(columns)}`;
}
