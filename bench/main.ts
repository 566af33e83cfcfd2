// `npm run bench [-- --json] [-- --peers] [-- name…]`: each line is a ratio against the bare limit, measured in the same run.
import "./built-program.ts";
import type { Benchmark, Result } from "./measure.ts";
import { holds } from "./measure.ts";

const BENCHMARKS: Record<string, () => Promise<{ bench: Benchmark }>> = {
  "cold-start": () => import("./cold-start.ts"),
  "get-run": () => import("./get-run.ts"),
  "token-check": () => import("./token-check.ts"),
  "post-runs": () => import("./post-runs.ts"),
  "message-post": () => import("./message-post.ts"),
  "message-delivery": () => import("./message-delivery.ts"),
  "message-waiting": () => import("./message-waiting.ts"),
  "remove-run": () => import("./remove-run.ts"),
  talk: () => import("./talk.ts"),
  "parked-runs": () => import("./parked-runs.ts"),
  "streamed-answer": () => import("./streamed-answer.ts"),
  "append-events": () => import("./append-events.ts"),
  "postgres-append": () => import("./postgres-append.ts"),
  migrate: () => import("./migrate.ts"),
  "stdio-runs": () => import("./stdio-runs.ts"),
  "flood-memory": () => import("./flood-memory.ts"),
  dispatch: () => import("./dispatch.ts"),
  "stop-elsewhere": () => import("./stop-elsewhere.ts"),
  "http-runs": () => import("./http-runs.ts"),
  "atp-streams": () => import("./atp-streams.ts"),
  "live-readers": () => import("./live-readers.ts"),
  "ws-tasks": () => import("./ws-tasks.ts"),
  "suite-cases": () => import("./suite-cases.ts"),
  "suite-scale": () => import("./suite-scale.ts"),
  "ap-ws": () => import("./ap-ws.ts"),
  "ap-tasks": () => import("./ap-tasks.ts"),
  "ap-upload": () => import("./ap-upload.ts"),
  "s3-upload": () => import("./s3-upload.ts"),
  "shell-steps": () => import("./shell-steps.ts"),
  "shell-output": () => import("./shell-output.ts"),
  "term-steps": () => import("./term-steps.ts"),
  "environment-cycle": () => import("./environment-cycle.ts"),
  trials: () => import("./trials.ts"),
  "scripted-agent": () => import("./scripted-agent.ts"),
  "script-tool": () => import("./script-tool.ts"),
  "a2a-gateway": () => import("./a2a-gateway.ts"),
  "a2a-surface": () => import("./a2a-surface.ts"),
  "a2a-conform": () => import("./a2a-conform.ts"),
  "registry-beats": () => import("./registry-beats.ts"),
  "registry-search": () => import("./registry-search.ts"),
  "registry-restart": () => import("./registry-restart.ts"),
  "goal-route": () => import("./goal-route.ts"),
  "goal-subtasks": () => import("./goal-subtasks.ts"),
  "goal-cancel": () => import("./goal-cancel.ts"),
  "model-calls": () => import("./model-calls.ts"),
  dashboard: () => import("./dashboard.ts"),
};

const json = process.argv.includes("--json");
const chosen = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const unknown = chosen.filter((name) => !(name in BENCHMARKS));
if (unknown.length > 0) {
  console.error(`unknown benchmark ${unknown.join(", ")}; there are: ${Object.keys(BENCHMARKS).join(", ")}`);
  process.exit(2);
}

const results: Result[] = [];
for (const [name, load] of Object.entries(BENCHMARKS)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const measured = [await (await load()).bench()].flat();
  results.push(...measured);
  if (!json) for (const result of measured) console.log(line(result));
}
if (json) console.log(JSON.stringify({ node: process.version, results }, null, 2));
process.exitCode = results.every(holds) ? 0 : 1;

function line(result: Result): string {
  const { name, what, value, bound, unit, details } = result;
  const limit = "atLeast" in bound ? `≥ ${bound.atLeast}` : `≤ ${bound.atMost}`;
  const more = Object.entries(details)
    .map(([key, amount]) => `${key} ${format(amount)}`)
    .join(", ");
  const mark = holds(result) ? "✓" : "✗";
  return `${mark} ${name.padEnd(16)} ${format(value).padStart(7)} ${unit.padEnd(5)} (${limit})  ${what}; ${more}`;
}

function format(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
