// Hubs and workers of the built program are killed, stopped, cut off and misled at random while runs are submitted and cancelled.
// CHAOS_ROUNDS says how often, CHAOS_SEED how, CHAOS_FIRST with which round it begins: the same seed does the same to the same ones in the
// same order.
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import type { Run } from "../../src/core/run.ts";
import { startCluster, type Cluster } from "../support/chaos/cluster.ts";
import { FAULTS, pick } from "../support/chaos/faults.ts";
import { findLeftRunning, findLostBytes } from "../support/chaos/find-damage.ts";
import { findViolations } from "../support/chaos/find-violations.ts";
import { seededRandom } from "../../src/doubles/agent/seeded-random.ts";
import { eventually, HANG_MS } from "../support/eventually.ts";
import { lacksPostgres, look, query } from "../support/postgres.ts";

const ROUNDS = Number(process.env["CHAOS_ROUNDS"] ?? 3);
const SEED = Number(process.env["CHAOS_SEED"] ?? 23);
const FIRST = Number(process.env["CHAOS_FIRST"] ?? 0);
const AGENT_LIMIT = 3;
const RUNS_PER_ROUND = 12;
/** How many faults happen at the same time. */
const FAULTS_PER_ROUND = 2;
/** A hub that does not answer within this time may have been stopped: the client asks another. */
const ANSWER_MS = 3000;
const AGENT = fileURLToPath(new URL("../fixtures/agents/slow-file.sh", import.meta.url));

describe.skipIf(await lacksPostgres("chaos"))("chaos", () => {
  const acknowledged = new Set<string>();
  let cluster: Cluster | undefined;

  /** Each part of the chaos has numbers of its own, so that how long one takes changes nothing for the others. */
  const randomOf = (round: number, part: number): (() => number) =>
    seededRandom(SEED * 1_000_003 + round * 101 + part);

  /** Until a hub acknowledges it, or has done so before. */
  async function submit({ hubs }: Cluster, index: number, random: () => number): Promise<void> {
    const json = {
      agent: `atp+stdio:sh ${AGENT} 0.5 ${pick(["a", "b"], random)}`,
      task: { description: "leave a file" },
      ...(index % 2 === 0 && { retry: { max_attempts: 5, initial_delay_ms: 10 } }),
    };
    const headers = { "idempotency-key": randomUUID() };
    const send = async (path: string, init: object, accepted: readonly number[]): Promise<Run> => {
      const signal = AbortSignal.timeout(ANSWER_MS);
      const response = await pick(hubs, random).process.send("POST", path, { ...init, headers, signal });
      const run = (await response.json()) as Run;
      expect(accepted, JSON.stringify(run)).toContain(response.status);
      return run;
    };
    const { id } = await eventually(() => send("/runs", { json }, [200, 201, 202]));
    acknowledged.add(id);
    // Whether it is at work, waits or has ended: the wish is taken, or comes too late.
    if (index % 6 === 5) await eventually(() => send(`/runs/${id}/cancel`, { json: {} }, [200, 202, 409]));
  }

  const allEnded = ({ url }: Cluster): Promise<void> =>
    eventually(async () => {
      const left = "select id, status, worker, admitted from runs where ended_at is null limit 5";
      expect(await look(url, left)).toEqual([]);
    });

  /** How the runs of all rounds have ended so far. */
  async function outcomes({ url }: Cluster): Promise<string> {
    const rows = (await query(
      url,
      `select coalesce(payload::json->'failure'->>'code', payload::json->>'status') as outcome, count(*)::int as count
       from events where type = 'run.ended' group by 1 order by 1`,
    )) as { outcome: string; count: number }[];
    return rows.map(({ outcome, count }) => `${outcome} ${count}`).join(", ");
  }

  afterAll(() => cluster?.close(), HANG_MS);

  it(
    `of ${ROUNDS} rounds with seed ${SEED} loses no run and no byte, ends none twice, and exceeds no limit`,
    { timeout: HANG_MS * Math.max(1, ROUNDS) },
    async () => {
      const hurt = (cluster = await startCluster({ hubs: 2, workers: 2, agentLimit: AGENT_LIMIT }));
      const names = Object.keys(FAULTS);
      for (let round = FIRST; round < FIRST + ROUNDS; round++) {
        const random = randomOf(round, 0);
        // Each once, then whichever; two of a kind could stop both hubs, and nobody would take a run.
        const at = (round * FAULTS_PER_ROUND + SEED) % names.length;
        const inTurn = [...names.slice(at), ...names.slice(0, at)];
        const chosen: string[] = [];
        while (chosen.length < FAULTS_PER_ROUND) {
          const isFirstTime = round * FAULTS_PER_ROUND + chosen.length < names.length;
          const name = isFirstTime ? inTurn[chosen.length] : undefined;
          const next = name ?? pick(names, random);
          if (!chosen.includes(next)) chosen.push(next);
        }
        const submitted = Promise.all(
          Array.from({ length: RUNS_PER_ROUND }, (_, index) =>
            submit(hurt, index, randomOf(round, 10 + index)),
          ),
        );
        const meanwhile = submitted.then(() => allEnded(hurt));
        await Promise.all(
          chosen.map(async (name, part) => FAULTS[name]?.(hurt, randomOf(round, part + 1), meanwhile)),
        );
        await meanwhile;
        console.log(`seed ${SEED}, round ${round}: ${chosen.join(" + ")}; ${await outcomes(hurt)}`);
      }
      // A job whose run ended goes when the next worker looks, and so do processes that a killed worker left.
      await eventually(async () => {
        expect(await findViolations(hurt.url, acknowledged, AGENT_LIMIT)).toEqual([]);
        expect(findLeftRunning(hurt)).toEqual([]);
      });
      expect(await findLostBytes(hurt)).toEqual([]);
      expect(acknowledged.size).toBe(ROUNDS * RUNS_PER_ROUND);
    },
  );
});
