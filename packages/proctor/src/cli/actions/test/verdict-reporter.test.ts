import { describe, expect, it } from "vitest";
import type { JudgedRun } from "../../../core/registration.ts";
import type { PlannedCase } from "../../../suites/plan.ts";
import type { AttemptResult } from "../../../suites/result.ts";
import { verdictReporter } from "./verdict-reporter.ts";

/** Only what the reporter looks at. */
function planned(target: unknown): PlannedCase {
  return { agent: { target } } as unknown as PlannedCase;
}

function attempt(result: Partial<AttemptResult>): AttemptResult {
  return { number: 1, outcome: "pass", source: "run", checks: [], metrics: {}, durationMs: 1, ...result };
}

async function told(
  attempts: readonly [target: unknown, result: Partial<AttemptResult>][],
  judged: (verdicts: readonly JudgedRun[]) => void = () => undefined,
): Promise<JudgedRun[][]> {
  const batches: JudgedRun[][] = [];
  const reporter = verdictReporter({
    async judged(verdicts) {
      batches.push([...verdicts]);
      judged(verdicts);
      return { counted: verdicts.length };
    },
  });
  for (const [target, result] of attempts) reporter.attemptEnded?.(planned(target), attempt(result));
  await reporter.close();
  return batches;
}

describe("the verdicts that a test tells the registry", () => {
  it("are of the runs that it made of agents with a name, and judged", async () => {
    const batches = await told([
      ["writer", { runId: "a", outcome: "pass" }],
      ["writer", { runId: "b", outcome: "fail" }],
      ["writer", { runId: "c", outcome: "unevaluated" }],
      ["writer", { runId: "d", source: "rescored" }],
      ["writer", { runId: "e", source: "cached" }],
      ["writer", {}],
      ["atp+stdio:node agent.mjs", { runId: "f" }],
      [{ protocol: "atp", transport: "stdio" }, { runId: "g" }],
    ]);
    expect(batches).toEqual([
      [
        { run_id: "a", passed: true },
        { run_id: "b", passed: false },
      ],
    ]);
  });

  it("go in batches, and stop after the first that is refused", async () => {
    const many = Array.from({ length: 450 }, (_, number) => ["writer", { runId: `r${number}` }] as const);
    const attempts = many.map(([target, result]): [unknown, Partial<AttemptResult>] => [target, result]);
    expect((await told(attempts)).map((batch) => batch.length)).toEqual([200, 200, 50]);
    const refused = await told(attempts, () => {
      throw new Error("this token has no scope");
    });
    expect(refused).toHaveLength(1);
  });
});
