// Starting a hub that knows 10,000 agents, until it answers.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillAgents } from "./fill-agents.ts";
import { median, secondsOf, type Result } from "./measure.ts";
import { startHub } from "./processes.ts";

const AGENTS = 10_000;
const ROUNDS = 5;

export async function bench(): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "proctor-bench-"));
  const empty = mkdtempSync(join(tmpdir(), "proctor-bench-"));
  await fillAgents(folder, AGENTS);
  try {
    const none = await start(empty);
    const all = await start(folder);
    return {
      name: "registry-restart",
      what: "start of a hub with 10,000 registered agents, until it answers",
      value: all * 1000,
      bound: { atMost: 2000 },
      unit: "ms",
      details: { "with none ms": none * 1000 },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(empty, { recursive: true, force: true });
  }
}

async function start(folder: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    let stop = (): Promise<void> => Promise.resolve();
    times.push(
      await secondsOf(async () => {
        const hub = await startHub({ concurrency: 0, folder });
        stop = () => hub.stop();
        await fetch(`http://127.0.0.1:${hub.port}/registry/agents?limit=1`).then((answer) => answer.json());
      }),
    );
    await stop();
  }
  return median(times);
}
