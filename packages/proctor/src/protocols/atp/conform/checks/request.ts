// Rules about valid requests of every kind: each is to be worked on like the plainest one.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MAX_DESCRIPTION_CHARS } from "../../../../core/task.ts";
import { fail } from "../../../../conformance/finding.ts";
import type { Check } from "../finding.ts";
import { accepted } from "../judgement.ts";
import type { RequestChanges } from "../trial.ts";

const LARGE_CHARS = 1024 * 1024;
/** Two bytes, three bytes, a surrogate pair, right to left, a combining mark, and what terminals dislike. */
const SCRIPTS = "žluťoučký — 你好 — مرحبا — 👩‍🚀 — e\u0301 \u2028 \u007f";

function accepts(changes: RequestChanges | ((task: string) => RequestChanges)): Check {
  return async (trial) => {
    const basic = await trial.basic();
    const given = typeof changes === "function" ? changes(trial.task) : changes;
    return accepted(await trial.send(trial.request(given)), basic);
  };
}

export const REQUEST_CHECKS = {
  "atp.request.minimal": async (trial) => {
    const basic = await trial.basic();
    return accepted(basic, basic);
  },
  "atp.request.full": async (trial) => {
    const basic = await trial.basic();
    const workspace = await mkdtemp(join(tmpdir(), "proctor-conform-"));
    try {
      const request = trial.request({
        task: {
          input_data: { company: "Slack", depth: 2 },
          expected_artifacts: [{ type: "file", format: "markdown", name: "report.md" }],
        },
        constraints: {
          max_steps: 1000,
          max_tokens: 10_000_000,
          timeout_seconds: 86_400,
          allowed_tools: ["web_search"],
          budget_usd: 1000,
        },
        context: { workspace_path: workspace },
        top: { metadata: { test_id: "conformance", run_number: 1, total_runs: 1 } },
      });
      return accepted(await trial.send(request), basic);
    } finally {
      await rm(workspace, { recursive: true, force: true });
    }
  },
  "atp.request.unknown_fields": accepts({
    task: { from_the_future: { nested: [1, null] } },
    constraints: { from_the_future: true },
    context: { from_the_future: 1.5 },
    top: { from_the_future: "yes", metadata: { from_the_future: [] } },
  }),
  "atp.request.large": accepts({ task: { input_data: { text: "x".repeat(LARGE_CHARS) } } }),
  "atp.request.long_description": accepts((task) => ({
    description: `${task}\n`
      .padEnd(MAX_DESCRIPTION_CHARS, "All of this is one description. ")
      .slice(0, MAX_DESCRIPTION_CHARS),
  })),
  "atp.request.unicode": async (trial) => {
    const basic = await trial.basic();
    const description = `${trial.task} ${SCRIPTS}`;
    const request = trial.request({ description, task: { input_data: { [SCRIPTS]: SCRIPTS } } });
    const exchange = await trial.send(request);
    const finding = accepted(exchange, basic);
    // An agent that repeats its task must repeat this one unharmed.
    const repeats = JSON.stringify(basic.response ?? null).includes(JSON.stringify(trial.task).slice(1, -1));
    const said = JSON.stringify(exchange.response ?? null);
    if (finding.outcome !== "pass" || !repeats || said.includes(JSON.stringify(SCRIPTS).slice(1, -1)))
      return finding;
    return fail("it repeats its task, and the text came back changed", exchange);
  },
} satisfies Record<string, Check>;
