// Differential: whatever an agent does on whatever transport, its recording comes to the same when it is played.
import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openTestHub, fixture, type TestHub } from "../../../../test/support/test-hub.ts";
import type { AgentSpec } from "../../../core/agent.ts";
import type { RunRequest } from "../../../core/ports/hub.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { RunEvent } from "../../../core/event.ts";
import { isRecordedCall } from "../../../core/recording.ts";
import { writeRecording } from "../../../doubles/recordings/write-recording.ts";
import { substanceOf } from "../../../suites/substance.ts";
import type { Play, Puppet, PuppetTask } from "../../../../test/support/protocols/puppet.ts";
import { slowDown } from "../../../../test/support/protocols/slow-down.ts";
import { readRecording } from "../../replay/read-recording.ts";
import { ATP_STAGES } from "../../../../test/support/atp/stages.ts";

let hub: TestHub;
const opened: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  hub = await openTestHub({ graceMs: 200 });
});
afterAll(() => hub.close());
afterEach(async () => {
  for (const thing of opened.splice(0)) await thing.close();
});

interface Outcome {
  substance: JsonObject;
  rules: string[];
}

async function run(
  agent: AgentSpec,
  request: Partial<RunRequest>,
): Promise<{ outcome: Outcome; file: string }> {
  const { run } = await hub.hub.submit({ agent, task: { description: "do it" }, ...request });
  const ended = await hub.ended(run.id);
  const log = await hub.log(run.id);
  const file = join(hub.folder, "recordings", `${run.id}.jsonl`);
  await writeRecording(file, ended, each(log), { key: "k", runNumber: 2, testId: "t" });
  const substance = await substanceOf(ended, each(log));
  const rules = log.flatMap((event) => (event.type === "violation" ? [event.payload.rule] : []));
  return { outcome: { substance, rules }, file };
}

async function* each(log: readonly RunEvent[]): AsyncGenerator<RunEvent> {
  yield* log;
}

const replayed = (file: string): AgentSpec => ({
  protocol: "replay",
  transport: "file",
  url: `file:${file}`,
});

/** Runs the agent, plays its recording, and gives what both came to. */
async function twice(
  agent: AgentSpec,
  request: Partial<RunRequest> = {},
): Promise<{ live: Outcome; replay: Outcome; file: string }> {
  const { outcome: live, file } = await run(agent, {
    ...request,
    options: { ...request.options, record: true },
  });
  const { outcome: replay } = await run(replayed(file), request);
  return { live, replay, file };
}

const event = (task: PuppetTask, sequence: number, kind: string, payload: JsonObject): JsonObject => ({
  version: "1.0",
  task_id: task.request["task_id"],
  timestamp: "2026-01-02T03:04:05Z",
  sequence,
  event_type: kind,
  payload,
});
const response = (task: PuppetTask, fields: JsonObject = {}): JsonObject => ({
  version: "1.0",
  task_id: task.request["task_id"],
  status: "completed",
  artifacts: [],
  metrics: { total_tokens: 7 },
  ...fields,
});

const WELL_BEHAVED: Record<string, Play> = {
  "events, artifacts and metrics": async (task) => {
    await task.event(event(task, 0, "progress", { percentage: 50, message: "half\u2028way" }));
    await task.event(event(task, 1, "llm_request", { model: "m", input_tokens: 3, output_tokens: 4 }));
    await task.event(event(task, 2, "telepathy", { strength: 1 }));
    const content = "déjà vu\nline two";
    await task.respond(
      response(task, {
        artifacts: [
          { type: "file", path: "a.txt", content },
          { type: "structured", name: "r", data: { n: 1 } },
        ],
        novelty: { kept: true },
      }),
    );
  },
  "its own failure": (task) =>
    task.respond(response(task, { status: "failed", error: "no", error_code: "TOOL_NOT_FOUND" })),
};

const HOSTILE: Record<string, Play> = {
  "another task's id, gaps and repetitions": async (task) => {
    await task.event({ ...event(task, 3, "progress", {}), task_id: randomUUID() });
    await task.event(event(task, 3, "progress", { percentage: 1 }));
    await task.respond(response(task));
  },
  "a version of its own": (task) => task.respond({ ...response(task), version: "2.0" }),
  "no metrics": (task) => {
    const { metrics: _, ...rest } = response(task);
    return task.respond(rest);
  },
  "vanishing after an event": async (task) => {
    await task.event(event(task, 0, "progress", { percentage: 1 }));
    // Arrived before the cut: the platform has it in its log.
    const id = task.request["task_id"] as string;
    await hub.until(id, ({ type }) => type === "progress");
    task.vanish();
  },
};

const GARBAGE: Record<string, Play> = {
  "garbage between messages": async (task) => {
    await task.event("{ this is not JSON");
    await task.event(`{"deep":${"[".repeat(5000)}`);
    await task.event(event(task, 0, "progress", { percentage: 1 }));
    await task.respond(response(task));
  },
  "an unusable status": (task) => task.respond({ ...response(task), status: "splendid" }),
  "two responses": async (task) => {
    await task.answer(response(task, { metrics: { total_tokens: 1 } }));
    await task.respond(response(task, { metrics: { total_tokens: 2 } }));
  },
};

describe.each(ATP_STAGES)("a recording over $name", (stage) => {
  const plays = { ...WELL_BEHAVED, ...HOSTILE, ...(stage.carriesText ? GARBAGE : {}) };

  async function raise(play: Play): Promise<Puppet> {
    const puppet = await stage.raise(play);
    opened.push(puppet);
    return puppet;
  }

  it.each(Object.entries(plays))("comes to the same: %s", async (_what, play) => {
    const { spec } = await raise(play);
    const { live, replay } = await twice(spec);
    expect(replay).toEqual(live);
  });

  it("comes to the same where the platform stopped the run", async () => {
    const { spec } = await raise(async (task) => {
      await task.event(event(task, 0, "progress", { percentage: 1 }));
      const id = task.request["task_id"] as string;
      await hub.until(id, ({ type }) => type === "progress");
      await hub.hub.cancel(id);
      await task.stopped;
      await task.respond(response(task));
    });
    const { live, replay } = await twice(spec);
    expect(live.substance).toMatchObject({ status: "cancelled", failure: { code: "CANCELLED" } });
    expect(replay.substance).toEqual(live.substance);
  });

  it("comes to the same where a limit was exceeded", async () => {
    const { spec } = await raise(async (task) => {
      for (let step = 0; step < 3; step++) {
        await task.event(event(task, step, "llm_request", { input_tokens: 10, output_tokens: 0 }));
      }
      await task.stopped;
      task.vanish();
    });
    const { live, replay } = await twice(spec, { constraints: { max_tokens: 15 } });
    expect(live.substance).toMatchObject({ failure: { code: "BUDGET_EXCEEDED" } });
    expect(replay.substance).toMatchObject({ status: "failed", failure: { code: "BUDGET_EXCEEDED" } });
  });

  it("says what travelled, and when", async () => {
    const { spec } = await raise(async (task) => {
      await task.event(event(task, 0, "progress", { percentage: 1 }));
      await task.respond(response(task));
    });
    const { file } = await run(spec, { options: { record: true } });
    const { header, entries, end } = await readRecording(file);
    expect(header).toMatchObject({
      protocol: "atp",
      transport: stage.name,
      task: { description: "do it" },
      key: "k",
      run_number: 2,
      test_id: "t",
    });
    const messages = entries.flatMap((entry) => (isRecordedCall(entry) ? [] : [entry]));
    const [sent] = messages;
    expect(sent).toMatchObject({ direction: "sent", at_ms: expect.any(Number) as number });
    expect(JSON.parse(sent?.text ?? "")).toMatchObject({ task_id: header.run_id });
    const received = messages.filter(({ direction, text }) => direction === "received" && text !== "");
    expect(received.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('"percentage":1'),
        expect.stringContaining('"completed"'),
      ]),
    );
    expect(end).toMatchObject({ status: "completed", ...(stage.name === "stdio" && { exit_code: 0 }) });
  });
});

describe("an agent's program that is recorded", () => {
  it.each(["crashes", "lingers", "not-utf8", "left-behind", "spread", "overlong"])(
    "comes to the same: %s",
    async (what) => {
      const scripts: Record<string, string> = {
        crashes: `console.error("oh no"); process.exit(7)`,
        lingers: `console.log("not a response"); process.stdout.end(); require("fs").closeSync(1); setInterval(() => {}, 1000)`,
        "not-utf8": `process.stderr.write(Buffer.of(0x61, 0xff, 0x62, 10)); process.exit(0)`,
        "left-behind": `require("child_process").spawn("sleep", ["30"], { stdio: "ignore" }).unref(); process.exit(0)`,
        spread: `console.log(JSON.stringify({ version: "1.0", task_id: JSON.parse(require("fs").readFileSync(0)).task_id, status: "completed", artifacts: [], metrics: {} }, null, 2))`,
        overlong: `process.stdout.write("x".repeat(11 * 1024 * 1024) + "\\n", () => process.exit(0))`,
      };
      const spec = {
        protocol: "atp",
        transport: "stdio",
        command: [process.execPath, "-e", scripts[what] ?? ""],
      };
      const { live, replay } = await twice(spec);
      expect(replay).toEqual(live);
      expect(live.substance["status"]).toBe(what === "spread" ? "completed" : "failed");
    },
  );

  it("comes to the same, without the wait, when it was out of time", async () => {
    const request = { constraints: { timeout_seconds: 1 } };
    const { live, replay, file } = await twice(fixture("sleeps"), request);
    expect(live.substance).toMatchObject({ status: "timeout", failure: { code: "TIMEOUT" } });
    expect(replay.substance).toEqual(live.substance);
    // Waiting, for the recorded times or for the new limit, would hang.
    slowDown(file);
    const patient = { constraints: { timeout_seconds: 86_400 } };
    expect((await run(replayed(file), patient)).outcome.substance).toMatchObject({ status: "timeout" });
  });

  it("comes to the same when it never started", async () => {
    const { live, replay } = await twice({
      protocol: "atp",
      transport: "stdio",
      command: ["/no/such/program"],
    });
    expect(live.substance).toMatchObject({ failure: { code: "AGENT_NOT_STARTED" } });
    expect(replay).toEqual(live);
  });
});

describe("an agent's server that is recorded", () => {
  async function serve(answer: Parameters<typeof createServer>[1]): Promise<AgentSpec> {
    const server: Server = createServer(answer);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    opened.push({
      async close() {
        server.closeAllConnections();
        server.close();
        await once(server, "close");
      },
    });
    const { port } = server.address() as AddressInfo;
    return { protocol: "atp", transport: "http", url: `http://127.0.0.1:${port}` };
  }

  const answers: Record<
    string,
    (task: { id: string }) => { status?: number; type?: string; body: string | Buffer; stream?: number }
  > = {
    "JSON where there is no stream": ({ id }) => ({
      stream: 404,
      body: JSON.stringify({ version: "1.0", task_id: id, status: "completed", artifacts: [], metrics: {} }),
    }),
    "an error with a page": () => ({ status: 500, type: "text/html", body: "<p>oops</p>" }),
    "an error with a response": ({ id }) => ({
      status: 422,
      body: JSON.stringify({
        version: "1.0",
        task_id: id,
        status: "failed",
        artifacts: [],
        metrics: {},
        error: "x",
      }),
    }),
    "a picture": () => ({ type: "image/png", body: Buffer.of(0x89, 0x50, 0xff) }),
    "JSON that is none": () => ({ body: "{" }),
    "JSON that is no text": () => ({ body: Buffer.of(0x7b, 0xff, 0x7d) }),
    nothing: () => ({ body: "" }),
    "a stream that ends early": () => ({ type: "text/event-stream", body: "event: event\ndata: {}\n\n" }),
    "a stream that is no text": ({ id }) => ({
      type: "text/event-stream",
      body: Buffer.concat([
        Buffer.from(": "),
        Buffer.of(0xff),
        Buffer.from(
          `\n\nevent: response\ndata: {"version":"1.0","task_id":"${id}","status":"completed","artifacts":[],"metrics":{}}\n\n`,
        ),
      ]),
    }),
    "a frame that is too long": () => ({
      type: "text/event-stream",
      body: `data: ${"x".repeat(10 * 1024 * 1024 + 10)}\n\nevent: event\ndata: \n\n`,
    }),
  };

  it.each(Object.entries(answers))("comes to the same: %s", async (_what, answer) => {
    const spec = await serve((incoming, outgoing) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("end", () => {
        const { task_id: id } = JSON.parse(Buffer.concat(chunks).toString()) as { task_id: string };
        const { status = 200, type = "application/json", body, stream } = answer({ id });
        if (stream !== undefined && incoming.url === "/execute/stream")
          outgoing.writeHead(stream).end("none");
        else outgoing.writeHead(status, { "content-type": type }).end(body);
      });
    });
    const { live, replay } = await twice(spec);
    expect(replay).toEqual(live);
  });

  it("comes to the same when nobody is there", async () => {
    for (const transport of ["http", "ws", "grpc"]) {
      const { live, replay } = await twice({ protocol: "atp", transport, url: `${transport}://127.0.0.1:1` });
      expect(live.substance).toMatchObject({ failure: { code: "UNREACHABLE" } });
      expect(replay).toEqual(live);
    }
  });
});

it("a run that is not recorded has no messages in its log", async () => {
  const { run: submitted } = await hub.hub.submit({ agent: fixture("ok"), task: { description: "x" } });
  await hub.ended(submitted.id);
  const log = await hub.log(submitted.id);
  expect(log.map(({ type }) => type)).not.toContain("wire.message");
});
