// What an agent costs that sends its whole conversation to its model again and again: 100 calls in one run, whose context begins with
// 500 kB and grows. Storage may grow with the new parts of the conversation, but not with the repeated ones.
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Job } from "../packages/proctor/src/core/ports/driver.ts";
import { createModelHost } from "../packages/proctor/src/llm/model-host.ts";
import { listen } from "../packages/proctor/src/runtime/http/listen.ts";
import { systemClock } from "../packages/proctor/src/runtime/time/system-clock.ts";
import { openGoalHub } from "../packages/proctor/test/support/goals/goal-hub.ts";
import type { Result } from "./measure.ts";

const CALLS = 100;
const FIRST_CHARS = 500_000;
const MORE_CHARS = 5000;

interface Seen {
  answered: number;
  heapMb: number[];
}

export async function bench(): Promise<Result[]> {
  const none = await measure(0);
  const half = await measure(CALLS / 2);
  const all = await measure(CALLS);
  if (all.answered !== CALLS) throw new Error(`${all.answered} of ${CALLS} calls were answered`);
  const grown = all.storedBytes - none.storedBytes;
  return [
    {
      name: "model-calls",
      what: "bytes stored for 100 calls with a growing context of 500 kB against what was new in them",
      value: grown / (FIRST_CHARS + CALLS * MORE_CHARS),
      bound: { atMost: 1 },
      unit: "ratio",
      details: {
        "stored kB": grown / 1000,
        "for the first half kB": (half.storedBytes - none.storedBytes) / 1000,
        answered: all.answered,
      },
    },
    {
      name: "model-memory",
      what: "heap that the last 50 of these calls left behind",
      value: (all.heapMb.at(-1) ?? 0) - (all.heapMb[CALLS / 2] ?? 0),
      bound: { atMost: 5 },
      unit: "MB",
      details: { "heap MB": all.heapMb.at(-1) ?? 0 },
    },
  ];
}

/** Counts the stored bytes on disk after the hub is closed, which leaves no journal behind. */
async function measure(calls: number): Promise<Seen & { storedBytes: number }> {
  const folder = await mkdtemp(join(tmpdir(), "proctor-bench-model-"));
  try {
    const seen = await callModel(folder, calls);
    return { ...seen, storedBytes: await sizeOf(folder) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function callModel(folder: string, calls: number): Promise<Seen> {
  let url = "";
  const models = createModelHost({
    baseUrl: () => Promise.resolve(url),
    mock: () => Promise.resolve({ model: "mock", ask: () => Promise.resolve(answer()) }),
    clock: systemClock,
  });
  const server = await listen({
    app: { fetch: (request) => models.fetch(request) },
    host: "127.0.0.1",
    port: 0,
  });
  ({ url } = server);
  const seen: Seen = { answered: 0, heapMb: [] };
  const work = async (job: Job): Promise<Record<string, never>> => {
    await converse(job, calls, seen);
    return {};
  };
  const hub = await openGoalHub({ thinker: { work, needsModel: true } }, { models, folder });
  try {
    const { run } = await hub.hub.submit({
      agent: "thinker",
      task: { description: "Think" },
      constraints: { timeout_seconds: 600 },
    });
    const { failure } = await hub.ended(run.id);
    if (failure !== null) throw new Error(failure.message);
    return seen;
  } finally {
    await hub.close();
    await models.close();
    await server.close(0);
  }
}

async function converse({ env = {} }: Job, calls: number, seen: Seen): Promise<void> {
  const { LLM_API_URL: url = "", LLM_API_KEY: key = "" } = env;
  const messages = [{ role: "user", content: "x".repeat(FIRST_CHARS) }];
  for (let call = 0; call < calls; call++) {
    messages.push({ role: "user", content: `${call} ${"y".repeat(MORE_CHARS)}` });
    const response = await fetch(`${url}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: "mock", messages }),
    });
    await response.arrayBuffer();
    if (response.ok) seen.answered += 1;
    globalThis.gc?.();
    seen.heapMb.push(process.memoryUsage().heapUsed / 1024 / 1024);
  }
}

function answer(): Response {
  const message = { role: "assistant", content: "Go on." };
  return Response.json({
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "mock",
    choices: [{ index: 0, message, finish_reason: "stop" }],
    usage: { prompt_tokens: 100, completion_tokens: 3, total_tokens: 103 },
  });
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const { name, parentPath } of await readdir(folder, { withFileTypes: true, recursive: true }))
    bytes += (await stat(join(parentPath, name)).catch(() => ({ size: 0 }))).size;
  return bytes;
}
