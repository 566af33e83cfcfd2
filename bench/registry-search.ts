// Finding agents among 10,000 by a capability that all have, with an input that is checked against their schemas.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillAgents } from "./fill-agents.ts";
import { median, secondsOf, WARM_UPS, type Result } from "./measure.ts";
import { startHub } from "./processes.ts";

const AGENTS = 10_000;
const ROUNDS = 30;

export async function bench(): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), "proctor-bench-"));
  await fillAgents(folder, AGENTS);
  const hub = await startHub({ concurrency: 0, folder });
  const search = async (capability: string, expected: number): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round < WARM_UPS + ROUNDS; round++) {
      const body = {
        capability,
        input: { text: "Once upon a time", words: 200 },
        version: "^1.0.0",
        limit: 10,
      };
      const seconds = await secondsOf(async () => {
        const response = await fetch(`http://127.0.0.1:${hub.port}/registry/search`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        });
        const { total } = (await response.json()) as { total: number };
        if (total !== expected) throw new Error(`found ${total} agents instead of ${expected}`);
      });
      if (round >= WARM_UPS) times.push(seconds * 1000);
    }
    return median(times);
  };
  try {
    const all = await search("summarise", AGENTS);
    const few = await search("special-7", AGENTS / 1000);
    return [
      {
        name: "registry-search",
        what: "POST /registry/search, a capability that all 10,000 agents have, 100 schemas",
        value: all,
        bound: { atMost: 10 },
        unit: "ms",
        details: { "one that ten have ms": few },
      },
    ];
  } finally {
    await hub.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
