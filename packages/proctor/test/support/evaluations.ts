// Evaluations for tests: from the real parts on a directory of their own, in this process or behind a real server, with a clock that tests move.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSse } from "../../src/channels/sse/read-sse.ts";
import type { EvaluationTotals, NewEvaluation, NewEvaluationCase } from "../../src/core/evaluation.ts";
import type { Evaluations } from "../../src/core/ports/evaluations.ts";
import type { OpenedEvaluations } from "../../src/core/ports/evaluations.case.ts";
import type { Store } from "../../src/core/ports/store.ts";
import { createHttpPlatform } from "../../src/hub/http-platform.ts";
import { listen } from "../../src/runtime/http/listen.ts";
import { createApp } from "../../src/server/app.ts";
import { createAuth } from "../../src/server/auth.ts";
import { openSqliteStore } from "../../src/stores/sqlite/open-store.ts";
import { createEvaluations } from "../../src/suites/evaluations/evaluations.ts";
import { createMetrics } from "../../src/telemetry/metrics.ts";
import { createHubDouble } from "./cli/program-double.ts";
import { createManualClock } from "./manual-clock.ts";

interface OpenedLocally extends OpenedEvaluations {
  store(): Store;
}

export async function openLocalEvaluations(): Promise<OpenedLocally> {
  const folder = await mkdtemp(join(tmpdir(), "proctor-evaluations-"));
  const clock = createManualClock();
  const removedRuns: string[] = [];
  const file = join(folder, "proctor.db");
  let store = await openSqliteStore({ file });
  const open = (): Evaluations =>
    createEvaluations({
      store: store.evaluations,
      clock,
      removeRuns: async (id) => void removedRuns.push(id),
    });
  return {
    evaluations: open(),
    clock,
    removedRuns,
    store: () => store,
    async reopen() {
      await store.close();
      store = await openSqliteStore({ file });
      return open();
    },
    async close() {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function openServedEvaluations(): Promise<OpenedEvaluations & { url: string }> {
  const local = await openLocalEvaluations();
  let { evaluations } = local;
  const host = "127.0.0.1";
  // The same routes before and after a restart of what keeps the evaluations.
  const later = new Proxy(evaluations, {
    get: (_, name) => Reflect.get(evaluations, name) as unknown,
  });
  const app = createApp({
    hub: createHubDouble(),
    ready: async () => undefined,
    auth: createAuth({ tokens: [], host }),
    metrics: createMetrics(),
    log: () => undefined,
    version: "0.0.0",
    recordsOf: () => Promise.resolve([]),
    until: () => Promise.reject(new Error("no run is followed here")),
    platform: { evaluations: later },
    feed: {
      read: (after, limit) => local.store().feed(after, limit),
      watch: (listener) => local.store().watch(listener),
      evaluations: {
        changes: (range) => local.store().evaluations.changes(range),
        watch: (listener) => local.store().evaluations.watch(listener),
      },
    },
  });
  const server = await listen({ app, host, port: 0 });
  const { evaluations: served } = createHttpPlatform({ url: server.url, readSse });
  return {
    evaluations: served,
    clock: local.clock,
    removedRuns: local.removedRuns,
    url: server.url,
    async reopen() {
      evaluations = await local.reopen();
      return served;
    },
    async close() {
      await server.close(1000);
      await local.close();
    },
  };
}

export const OWNER = "00000000-0000-7000-8000-00000000000a";
export const OTHER_OWNER = "00000000-0000-7000-8000-00000000000b";
export const evaluationId = (number: number): string =>
  `00000000-0000-7000-9000-${number.toString(16).padStart(12, "0")}`;

export function newEvaluation(number = 1, more: Partial<NewEvaluation> = {}): NewEvaluation {
  return {
    id: evaluationId(number),
    owner: OWNER,
    name: "smoke",
    suites: [{ name: "smoke", file: "smoke.yaml" }],
    agents: ["writer"],
    planned: { cases: 2, runs: 4 },
    skipped: 0,
    metadata: { git_commit: "abc", git_branch: "main", host: "laptop", proctor_version: "0.1.0" },
    ...more,
  };
}

export function newCase(number = 0, more: Partial<NewEvaluationCase> = {}): NewEvaluationCase {
  const passed = (more.verdict ?? "pass") === "pass";
  return {
    number,
    suite: "smoke",
    test_id: `test-${number}`,
    name: `Test ${number}`,
    agent: "writer",
    key: `key-${number}`,
    verdict: "pass",
    runs: 1,
    pass_rate: { value: passed ? 1 : 0, low: 0, high: 1, confidence: 0.95 },
    flakiness: null,
    cost_usd: 0.01,
    total_tokens: 10,
    duration_ms: 5,
    file: "smoke.yaml",
    line: 3,
    tags: ["fast"],
    reason: null,
    gated: false,
    checks: [],
    run_results: [
      {
        number: 1,
        run_id: "r",
        verdict: more.verdict ?? "pass",
        source: "run",
        status: "completed",
        score: passed ? 100 : 0,
        failure_code: null,
        reason: null,
        latency_ms: 5,
        cost_usd: 0.01,
        total_tokens: 10,
        checks: [
          { type: "contains", verdict: more.verdict ?? "pass", reason: "found", critical: false, turn: null },
        ],
      },
    ],
    runs_omitted: 0,
    ...more,
  };
}

export const TOTALS: EvaluationTotals = {
  cases: 1,
  passed: 1,
  failed: 0,
  unevaluated: 0,
  skipped: 0,
  runs: 1,
  total_tokens: 10,
  cost_usd: 0.01,
};
