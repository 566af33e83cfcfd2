// Whole runs of a trivial stdio agent, two at a time, against spawning the same program and reading what it prints.
import { spawn } from "node:child_process";
import { baseEnvironment } from "../packages/proctor/src/channels/process/base-environment.ts";
import type { Hub } from "../packages/proctor/src/core/ports/hub.ts";
import { openTestHub } from "../packages/proctor/test/support/test-hub.ts";
import { inTurns, secondsOf, type Result } from "./measure.ts";
import { EXAMPLE_AGENT } from "./processes.ts";

const RUNS = 24;
const REQUEST = `${JSON.stringify({ version: "1.0", task_id: "550e8400-e29b-41d4-a716-446655440000", task: { description: "hi" } })}\n`;

export async function bench(): Promise<Result> {
  const { hub, close } = await openTestHub({ concurrency: 2 });
  try {
    const seconds = await inTurns(
      7,
      () => secondsOf(() => twoAtATime(spawnOnce)),
      () => secondsOf(() => runAll(hub)),
    );
    return {
      name: "stdio-runs",
      what: "trivial stdio runs per second, concurrency 2 / bare spawn + read + exit",
      value: seconds.bare / seconds.ours,
      bound: { atLeast: 0.9 },
      unit: "ratio",
      details: { "bare/s": RUNS / seconds.bare, "ours/s": RUNS / seconds.ours },
    };
  } finally {
    await close();
  }
}

/** Submits all runs at once. The hub runs two at a time, the oldest first, so it is enough to watch the last two. */
async function runAll(hub: Hub): Promise<void> {
  const agent = { protocol: "atp", transport: "stdio", command: [process.execPath, EXAMPLE_AGENT] };
  const submitted = await Promise.all(
    Array.from({ length: RUNS }, () => hub.submit({ agent, task: { description: "hi" } })),
  );
  await Promise.all(submitted.slice(-2).map(({ run }) => ended(hub, run.id)));
  const { items } = await hub.runs({ limit: RUNS });
  if (items.some(({ status }) => status !== "completed")) throw new Error("a run failed");
}

async function ended(hub: Hub, runId: string): Promise<void> {
  for await (const event of hub.follow(runId, -1, AbortSignal.timeout(60_000))) {
    if (event.type === "run.ended") return;
  }
}

async function twoAtATime(work: () => Promise<void>): Promise<void> {
  let left = RUNS;
  const lane = async (): Promise<void> => {
    while (left-- > 0) await work();
  };
  await Promise.all([lane(), lane()]);
}

function spawnOnce(): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [EXAMPLE_AGENT], { env: baseEnvironment() });
    child.stdout.resume();
    child.stderr.resume();
    child.stdin.end(REQUEST);
    child.once("error", reject).once("close", () => resolve());
  });
}
