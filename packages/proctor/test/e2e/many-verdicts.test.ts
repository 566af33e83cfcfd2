// A suite on two API servers behind a balancer and three workers, which are killed at random while it runs: its verdicts are those of one
// machine. VERDICT_CASES says how many cases there are, VERDICT_KILLS how many processes are killed, VERDICT_SEED which ones and when.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Evaluation } from "../../src/core/evaluation.ts";
import type { Page } from "../../src/core/page.ts";
import { seededRandom } from "../../src/doubles/agent/seeded-random.ts";
import { openBalancer, type Balancer } from "../support/chaos/balancer.ts";
import { pick, untilBusy } from "../support/chaos/faults.ts";
import { earlyRuns, verdictsIn, writeVerdictSuite } from "../support/chaos/verdict-suite.ts";
import { eventually, HANG_MS } from "../support/eventually.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { createDatabase, lacksPostgres, query } from "../support/postgres.ts";
import { runProgram, startProgram, type StartedProgram } from "../support/program.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startWorkerProcess, type WorkerProcess } from "../support/worker-process.ts";

const CASES = Number(process.env["VERDICT_CASES"] ?? 60);
const KILLS = Number(process.env["VERDICT_KILLS"] ?? 3);
const SEED = Number(process.env["VERDICT_SEED"] ?? 7);
/** Seconds that a run takes: long enough for kills to come in between, however few cases there are. */
const PAUSE = CASES > 1000 ? 0.05 : 0.5;
const LIMIT_MS = HANG_MS + CASES * 1000;
const TOKEN = "operator-of-these-tests";
/** Runs in flight: of a worker, and of the suite over all of them. They are a small part of the cases, so that kills come while others wait. */
const SLOTS = CASES > 1000 ? 6 : 3;
const AT_ONCE = 3 * SLOTS;

describe.skipIf(await lacksPostgres("verdicts on many machines"))("a suite on many machines", () => {
  const random = seededRandom(SEED);
  const client = { folder: temporaryFolder("verdicts"), env: { PROCTOR_TOKEN: TOKEN } };
  const folders = new Map<string, string>();
  const hubs = new Map<string, HubProcess>();
  const workers = new Map<string, WorkerProcess>();
  let database: string;
  let shared: Record<string, string>;
  let workerToken: string;
  let balancer: Balancer;
  let suite: string;

  const folderOf = (name: string): string => {
    const folder = folders.get(name) ?? temporaryFolder(name);
    folders.set(name, folder);
    return folder;
  };
  const portOf = ({ url }: HubProcess): number => Number(new URL(url).port);

  async function startHub(name: string): Promise<void> {
    hubs.set(
      name,
      await startHubProcess({ folder: folderOf(name), env: shared, args: ["--concurrency", "0"] }),
    );
  }

  /** The third has the balancer in place of the database. */
  async function startWorker(name: string): Promise<void> {
    const env = name === "over-http" ? { PROCTOR_URL: balancer.url, PROCTOR_TOKEN: workerToken } : shared;
    const args = ["--concurrency", String(SLOTS)];
    workers.set(name, await startWorkerProcess({ folder: folderOf(name), env, args }));
  }

  /** A worker when it has runs, an API server at once; then another one is started in its place. */
  async function kill(name: string, meanwhile: Promise<unknown>): Promise<void> {
    const hub = hubs.get(name);
    const worker = workers.get(name);
    if (worker) await untilBusy(database, worker.id, meanwhile);
    await (hub ?? worker)?.stop("SIGKILL");
    if (hub) await startHub(name);
    else await startWorker(name);
  }

  /** What the hubs tell of the newest evaluation while it goes on. */
  async function newest(): Promise<Evaluation> {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const response = await fetch(`${balancer.url}/evaluations?limit=1`, { headers });
    const { items } = (await response.json()) as Page<Evaluation>;
    if (items[0] === undefined) throw new Error("there is no evaluation yet");
    return items[0];
  }

  const settled = (cases: number): Promise<Evaluation> =>
    eventually(async () => {
      const evaluation = await newest();
      expect(evaluation.totals.cases).toBeGreaterThanOrEqual(cases);
      return evaluation;
    });

  const startSuite = (...more: string[]): StartedProgram =>
    startProgram(
      [
        "test",
        suite,
        "--json",
        "--hub",
        balancer.url,
        "--concurrency",
        `${AT_ONCE}`,
        "--retry-errors",
        "20",
        ...more,
      ],
      client,
    );

  beforeAll(async () => {
    database = await createDatabase();
    shared = {
      DATABASE_URL: database,
      SEAL_KEY: randomBytes(32).toString("base64"),
      PROCTOR_TOKEN: TOKEN,
      PROCTOR_AGENT_CONCURRENCY: String(AT_ONCE),
      PROCTOR_GRACE_SECONDS: "1",
    };
    suite = writeVerdictSuite(client.folder, CASES, PAUSE);
    await startHub("api-one");
    await startHub("api-two");
    balancer = await openBalancer(() => [...hubs.values()].map(portOf));
    const issued = await hubs
      .get("api-one")
      ?.post<{ secret: string }>("/tokens", { name: "worker", scopes: ["workers"] });
    workerToken = issued?.secret ?? "";
    for (const name of ["one", "two", "over-http"]) await startWorker(name);
  }, HANG_MS);

  afterAll(async () => {
    for (const worker of workers.values()) await worker.stop();
    for (const hub of hubs.values()) await hub.stop();
    await balancer.close();
  }, HANG_MS);

  it(
    `has the verdicts of one machine in all of ${CASES} cases, though ${KILLS} processes and the suite itself are killed`,
    { timeout: LIMIT_MS },
    async () => {
      const began = Date.now();
      let running = startSuite();
      // One part of the cases for each kill and for the one of the suite, which is in the middle.
      const part = CASES / (KILLS + 2);
      const killed: string[] = [];
      for (let count = 0; count <= KILLS; count++) {
        const { status, totals, planned } = await settled(Math.floor((count + random()) * part) + 1);
        // What the hubs tell meanwhile is a part of the whole.
        expect({ status, cases: planned.cases }).toEqual({ status: "running", cases: CASES });
        expect(totals.passed + totals.failed + totals.unevaluated).toBe(totals.cases);
        if (count === Math.floor(KILLS / 2)) {
          running.child.kill("SIGKILL");
          await running.ended;
          running = startSuite("--resume");
          killed.push("the suite");
        } else {
          const name = pick([...hubs.keys(), ...workers.keys()], random);
          await kill(name, running.ended);
          killed.push(name);
        }
      }
      const { code, stdout, stderr } = await running.ended;
      const elsewhere = Date.now() - began;
      expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
      const alone = await runProgram(["test", suite, "--json", "--concurrency", `${AT_ONCE}`], {
        folder: client.folder,
        env: {
          DATABASE_URL: `file:${folderOf("alone")}/proctor.db`,
          PROCTOR_CONCURRENCY: String(AT_ONCE),
          PROCTOR_AGENT_CONCURRENCY: String(AT_ONCE),
        },
      });
      expect(alone.code).toBe(1);
      const verdicts = verdictsIn(stdout);
      expect(verdicts).toHaveLength(CASES);
      expect(verdicts).toEqual(verdictsIn(alone.stdout));
      const count = (outcome: string): number => verdicts.filter((one) => one.outcome === outcome).length;
      const counts = { pass: count("pass"), fail: count("fail"), unevaluated: count("unevaluated") };
      expect(Object.values(counts)).not.toContain(0);
      const { made, most } = earlyRuns(stdout);
      expect(made).toBeLessThan(most);
      console.log(
        `${CASES} cases, seed ${SEED}: ${JSON.stringify(counts)} in ${elsewhere} ms; killed: ${killed.join(", ")}; ` +
          `runs: ${await outcomes()}; the early case took ${made} runs of ${most}`,
      );
    },
  );

  it("stops early at the first case that fails, and the hubs say so", { timeout: LIMIT_MS }, async () => {
    const { code } = await startSuite("--fail-fast", "--only", "no*").ended;
    expect(code).toBe(1);
    const { status, stopped, totals, planned } = await newest();
    expect({ status, stopped, code }).toEqual({ status: "completed", stopped: "fail-fast", code: 1 });
    expect(totals.failed).toBeGreaterThan(0);
    expect(totals.cases).toBeLessThan(planned.cases);
  });

  /** How all runs ended that were made for the cases, those included that were closed when their worker was killed. */
  async function outcomes(): Promise<string> {
    const rows = (await query(
      database,
      `select coalesce(payload::json->'failure'->>'code', payload::json->>'status') as outcome, count(*)::int as count
       from events where type = 'run.ended' group by 1 order by 1`,
    )) as { outcome: string; count: number }[];
    return rows.map(({ outcome, count }) => `${outcome} ${count}`).join(", ");
  }
});
