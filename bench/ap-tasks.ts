// The task API: reading a task, creating one on disk, and a page far into a million tasks.
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillTasks } from "./fill-tasks.ts";
import { getRequest, sendLoad } from "./http-load.ts";
import { inTurns, secondsOf, type Result } from "./measure.ts";
import { cpuSeconds, startBare, startHub, type Server } from "./processes.ts";

const READS = 10_000;
const CREATIONS = 4000;
const LISTINGS = 1000;
const CONNECTIONS = 32;
const TASKS = 1_000_000;
const BODY = JSON.stringify({
  task: "Find top 5 competitors for Slack",
  additional_input: { company: "Slack" },
});

export async function bench(): Promise<Result[]> {
  const few = await startHub({ concurrency: 0 });
  const results: Result[] = [];
  try {
    results.push(await reading(few), await creating(few));
  } finally {
    await few.stop();
  }
  const folder = mkdtempSync(join(tmpdir(), "proctor-ap-tasks-"));
  try {
    await fillTasks(folder, TASKS);
    const many = await startHub({ concurrency: 0, folder });
    try {
      results.push(await listing(many));
    } finally {
      await many.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return results;
}

async function reading(hub: Server): Promise<Result> {
  const agent = new Agent();
  const { agent: created } = JSON.parse(await post(hub.port, agent)) as { agent: { id: string } };
  const path = `/api/tasks/${created.id}`;
  const body = await (await fetch(`http://127.0.0.1:${hub.port}${path}`)).text();
  const bare = await startBare("./bare-http.mjs", [Buffer.from(body).toString("base64")]);
  try {
    const cpu = await inTurns(
      7,
      () => cost(bare, path, READS),
      () => cost(hub, path, READS),
    );
    return {
      name: "ap-get-task",
      what: "requests per CPU second, GET /api/tasks/{id} / raw node:http",
      value: cpu.bare / cpu.ours,
      bound: { atLeast: 0.45 },
      unit: "ratio",
      details: { "bare us": (cpu.bare / READS) * 1e6, "ours us": (cpu.ours / READS) * 1e6 },
    };
  } finally {
    await bare.stop();
  }
}

async function creating(hub: Server): Promise<Result> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const answer = Buffer.from(await post(hub.port, agent)).toString("base64");
  const bare = await startBare("./bare-http.mjs", [answer]);
  try {
    const before = [cpuSeconds(bare.pid), cpuSeconds(hub.pid)] as const;
    const seconds = await inTurns(
      9,
      () => secondsOf(() => create(bare, agent)),
      () => secondsOf(() => create(hub, agent)),
    );
    return {
      name: "ap-post-task",
      what: "POST /api/tasks durable (synchronous=FULL) / raw node:http POST, 32 connections of a node:http client",
      value: seconds.bare / seconds.ours,
      bound: { atLeast: 0.5 },
      unit: "ratio",
      details: {
        "bare/s": CREATIONS / seconds.bare,
        "ours/s": CREATIONS / seconds.ours,
        "server CPU ratio": (cpuSeconds(bare.pid) - before[0]) / (cpuSeconds(hub.pid) - before[1]),
      },
    };
  } finally {
    agent.destroy();
    await bare.stop();
  }
}

/** Compares the last page with the first one; both are ours. */
async function listing(hub: Server): Promise<Result> {
  const cpu = await inTurns(
    7,
    () => cost(hub, "/api/tasks?page=1&pageSize=20", LISTINGS),
    () => cost(hub, "/api/tasks?page=1000&pageSize=20", LISTINGS),
  );
  const last = await cost(hub, `/api/tasks?page=${TASKS / 20}&pageSize=20`, LISTINGS);
  return {
    name: "ap-list-tasks",
    what: "server CPU, page 1,000 / page 1 of 1,000,000 tasks",
    value: cpu.ours / cpu.bare,
    bound: { atMost: 2 },
    unit: "ratio",
    details: {
      "page 1 us": (cpu.bare / LISTINGS) * 1e6,
      "page 1,000 us": (cpu.ours / LISTINGS) * 1e6,
      "last page us": (last / LISTINGS) * 1e6,
    },
  };
}

async function cost(server: Server, path: string, requests: number): Promise<number> {
  const before = cpuSeconds(server.pid);
  const text = getRequest(path);
  const load = { port: server.port, connections: 16, requests, request: () => text, expect: " 200 " };
  await sendLoad(load);
  return cpuSeconds(server.pid) - before;
}

async function create(server: Server, agent: Agent): Promise<void> {
  let left = CREATIONS;
  const lane = async (): Promise<void> => {
    while (left-- > 0) await post(server.port, agent);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
}

function post(port: number, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(BODY) };
    const options = { host: "127.0.0.1", port, path: "/api/tasks", method: "POST", agent, headers };
    const sent = request(options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () =>
        response.statusCode === 200 ? resolve(text) : reject(new Error(`${response.statusCode}: ${text}`)),
      );
    });
    sent.on("error", reject).end(BODY);
  });
}
