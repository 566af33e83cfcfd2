// A goal on five agents of four protocols, whose hub and agents are killed again and again. `PROCTOR_GOAL_TASKS` and `PROCTOR_GOAL_KILLS` make
// it as large as wanted.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { Goal, Subtask } from "../../src/core/goal.ts";
import type { Page } from "../../src/core/page.ts";
import type { PlanTask } from "../../src/core/plan.ts";
import type { Run } from "../../src/core/run.ts";
import { isTerminal } from "../../src/core/run.ts";
import { HANG_MS } from "../support/eventually.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const TASKS = Number(process.env["PROCTOR_GOAL_TASKS"] ?? 40);
const KILLS = Number(process.env["PROCTOR_GOAL_KILLS"] ?? 3);
const SEED = Number(process.env["PROCTOR_GOAL_SEED"] ?? 1);
/** Of so many sub-tasks that begin, one loses its agent. */
const AGENT_KILLED_EVERY = 3;
const SERVERS_KILLED_EVERY = 40;
const FIXTURES = fileURLToPath(new URL("../fixtures/goals/", import.meta.url));
const BROKEN = new Set(["INTERRUPTED", "AGENT_CRASHED", "UNREACHABLE", "CONNECTION_LOST"]);

/** The same numbers for the same seed: a linear congruential generator is random enough to choose victims. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

interface Servers {
  ports: string[];
  kill: () => Promise<void>;
}

async function startServers(wanted: readonly string[] = []): Promise<Servers> {
  const child: ChildProcess = spawn(process.execPath, [join(FIXTURES, "counting-servers.mjs"), ...wanted], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const line = await new Promise<string>((resolve) =>
    child.stdout?.setEncoding("utf8").once("data", (text: string) => resolve(text)),
  );
  return {
    ports: line.trim().split(" "),
    async kill() {
      child.kill("SIGKILL");
      await gone;
    },
  };
}

/** The process that began last and is still an agent of this test. */
function lastAgent(ledger: string): number | undefined {
  if (!existsSync(ledger)) return undefined;
  const pids = readFileSync(ledger, "utf8").trim().split("\n").slice(-5).map(Number);
  return pids.findLast((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(ledger);
    } catch {
      return false;
    }
  });
}

/** Each counts on from the one before it in its chain, of which there are eight. */
function chains(): PlanTask[] {
  return Array.from({ length: TASKS }, (_, index) => ({
    id: `t${index}`,
    capability: "count",
    description: index < 8 ? "Count on from 0" : `Count on from \${tasks.t${index - 8}.output.n}`,
    retry: { max_attempts: 10, initial_delay_ms: 10, max_delay_ms: 200 },
  }));
}

function counted(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

async function all<T>(hub: HubProcess, path: string): Promise<T[]> {
  const found: T[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: Page<T> = await hub.get(`${path}limit=100${cursor === "" ? "" : `&cursor=${cursor}`}`);
    found.push(...page.items);
    cursor = page.next_cursor;
  }
  return found;
}

it(
  "A goal on five agents of four protocols survives kills of its hub and of its agents, with nothing lost and nothing done twice",
  { timeout: HANG_MS * Math.max(1, TASKS / 60) },
  async () => {
    const folder = temporaryFolder("goals-killed");
    const ledger = join(folder, "ledger");
    const random = seeded(SEED);
    let servers = await startServers();
    let hub = await startHubProcess({ folder });
    const killed = { agents: 0, servers: 0 };
    try {
      const [atp = "", a2a = "", openai = ""] = servers.ports;
      const program = `${process.execPath} ${join(FIXTURES, "counter.mjs")}`;
      const addresses = {
        pipes: `atp+stdio:${program} atp ${ledger}`,
        printer: `text+stdio:${program} text ${ledger} {task}`,
        remote: `atp+http://127.0.0.1:${atp}`,
        peer: `a2a+http://127.0.0.1:${a2a}`,
        model: `openai+http://127.0.0.1:${openai}/v1#count`,
      };
      const capabilities = [{ name: "count", idempotent: true }];
      for (const [name, address] of Object.entries(addresses))
        await hub.post("/agents", { name, address, capabilities });
      const { id } = await hub.post<Goal>("/goals", {
        goal: "Survive",
        concurrency: 6,
        plan: { tasks: chains() },
      });

      /** The run that settled each task, of all that were seen so far. */
      const finished = new Map<string, string>();
      let begun = 0;
      let sequence = -1;

      async function harm(): Promise<void> {
        begun += 1;
        if (random() < 1 / AGENT_KILLED_EVERY) {
          const pid = lastAgent(ledger);
          if (pid !== undefined) {
            process.kill(pid, "SIGKILL");
            killed.agents += 1;
          }
        }
        if (random() < 1 / SERVERS_KILLED_EVERY) {
          await servers.kill();
          servers = await startServers(servers.ports);
          killed.servers += 1;
        }
      }

      /** Follows the goal until so many tasks have settled, or it is over. */
      async function watch(until: number): Promise<void> {
        for await (const event of hub.follow(id, sequence)) {
          expect(event.sequence).toBe(sequence + 1);
          sequence = event.sequence;
          if (event.type === "subtask.started") await harm();
          if (event.type === "subtask.settled") {
            const { key, run_id: run = "" } = event.payload;
            if (event.payload.status !== "completed") throw new Error(JSON.stringify(event.payload));
            expect(finished.get(key), `${key} is settled once`).toBeUndefined();
            finished.set(key, run);
          }
          if (finished.size >= until) return;
        }
      }

      for (let kill = 1; kill <= KILLS; kill++) {
        await watch(Math.ceil((TASKS * kill) / (KILLS + 1)));
        await hub.stop("SIGKILL");
        hub = await startHubProcess({ folder });
      }
      await watch(Infinity);

      const goal = await hub.get<Goal>(`/goals/${id}`);
      expect(goal).toMatchObject({ status: "completed", counts: { completed: TASKS } });
      expect(finished.size).toBe(TASKS);
      const subtasks = await all<Subtask>(hub, `/goals/${id}/subtasks?`);
      const outputs = Object.fromEntries(subtasks.map(({ key, output_run_id }) => [key, output_run_id]));
      expect(outputs).toEqual(Object.fromEntries(finished));

      const runs = await all<Run>(hub, `/runs?parent=${id}&`);
      const completed = runs.filter(({ status }) => status === "completed");
      expect(completed.map((run) => run.id).toSorted()).toEqual([...finished.values()].toSorted());
      expect(runs.filter(({ status }) => !isTerminal(status))).toEqual([]);
      const lost = runs.filter(({ status }) => status !== "completed");
      const odd = lost.filter(({ failure }) => !BROKEN.has(failure?.code ?? ""));
      expect(
        odd.map(({ agent, failure }) => `${agent}: ${failure?.code ?? ""}: ${failure?.message ?? ""}`),
      ).toEqual([]);
      // Every one has counted on from the one before, so that no output was lost or mixed up.
      const last = goal.artifacts.find((each) => each.type === "structured" && each.name === "output");
      const ends = Object.fromEntries(
        Array.from({ length: 8 }, (_, chain) => {
          const index = TASKS - 8 + chain;
          return [`t${index}`, { n: Math.floor(index / 8) + 1 }];
        }),
      );
      expect(last).toMatchObject({ data: ends });
      const by = counted(completed.map(({ agent }) => agent));
      expect(Object.keys(by).toSorted()).toEqual(Object.keys(addresses).toSorted());
      if (process.env["PROCTOR_GOAL_TASKS"] !== undefined)
        console.log({
          begun,
          hub: KILLS,
          ...killed,
          by,
          lost: counted(lost.map(({ failure }) => failure?.code ?? "")),
        });
    } finally {
      await hub.stop();
      await servers.kill();
    }
  },
);
