// One call of a script tool from its name to its checked output, in a runtime and a context of its own, against a fresh context of Node's
// `vm` that runs the same script without limits. The CPU time is that of the whole process, because a call uses two threads.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createContext, Script } from "node:vm";
import { openScriptTools } from "../packages/proctor/src/cli/compose/open-script-tools.ts";
import type { Config } from "../packages/proctor/src/cli/config/load-config.ts";
import { openSqliteStore } from "../packages/proctor/src/stores/sqlite/open-store.ts";
import { noEnvironments } from "../packages/proctor/test/support/test-hub.ts";
import { inTurns, type Result } from "./measure.ts";

const CALLS = 200;
const ROUNDS = 9;
const SOURCE = "function run({ a, b }) { return { sum: a + b }; }";
const number = { type: "number" };

export async function bench(): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "proctor-bench-"));
  const store = await openSqliteStore({ file: join(folder, "proctor.db") });
  // Script tools use no other part of the configuration.
  const config = { dataDir: folder, artifactsDir: folder } as Config;
  const tools = openScriptTools(config, { store, environments: noEnvironments(), hubId: "bench" });
  try {
    await tools.put({
      name: "add",
      language: "javascript",
      source: SOURCE,
      parameters: { type: "object", properties: { a: number, b: number }, required: ["a", "b"] },
      returns: { type: "object", properties: { sum: number }, required: ["sum"] },
    });
    const { signal } = new AbortController();
    const { bare, ours } = await inTurns(
      ROUNDS,
      () => cpuMsOf(async (index) => bareCall({ a: index, b: 1 })),
      () =>
        cpuMsOf(async (index) => {
          const result = await tools.call("add", { a: index, b: 1 }, signal);
          if (!result.ok) throw new Error(result.message);
        }),
    );
    return {
      name: "script-tool",
      what: "CPU of a call of a script tool in the warm pool, in a sandbox of its own",
      value: ours,
      bound: { atMost: 2 },
      unit: "ms",
      details: { "ms of a bare context of Node's": bare, ratio: bare / ours },
    };
  } finally {
    await tools.close();
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Resolves with the CPU milliseconds of one call. */
async function cpuMsOf(call: (index: number) => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  for (let index = 0; index < CALLS; index++) await call(index);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / CALLS;
}

function bareCall(input: object): void {
  const context = createContext({ input: JSON.stringify(input) });
  new Script(`${SOURCE}; JSON.stringify(run(JSON.parse(input)))`).runInContext(context);
}
