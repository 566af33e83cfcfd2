// What stands in the way of a replay is the run's failure, and says what it is.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestHub, type TestHub } from "../../../test/support/test-hub.ts";
import { parseAddress } from "../../core/address.ts";
import type { AgentSpec } from "../../core/agent.ts";
import type { ObservedCall } from "../../core/tools.ts";
import { createToolHost } from "../../doubles/tools/tool-host.ts";
import { listen, type Listening } from "../../runtime/http/listen.ts";

let hub: TestHub;
let folder: string;
let listening: Listening;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "proctor-replay-"));
  const tools = createToolHost({
    allowHosts: [],
    startProcess: () => {
      throw new Error("no programs here");
    },
    baseUrl: () => Promise.resolve(listening.url),
  });
  listening = await listen({ app: tools, host: "127.0.0.1", port: 0 });
  hub = await openTestHub({ tools });
});
afterAll(async () => {
  await hub.close();
  await listening.close(0);
  await rm(folder, { recursive: true });
});

const HEADER = {
  proctor_recording: 1,
  protocol: "atp",
  transport: "ws",
  agent: "atp+ws://127.0.0.1:1",
  task: { description: "d" },
  recorded_at: "2026-01-02T03:04:05Z",
  run_id: "11111111-1111-4111-8111-111111111111",
};
const received = (channel: string, text: string, more: object = {}) => ({
  at_ms: 0,
  direction: "received",
  channel,
  text,
  ...more,
});
const RESPONSE = JSON.stringify({
  version: "1.0",
  task_id: HEADER.run_id,
  status: "completed",
  artifacts: [],
  metrics: {},
  said: HEADER.run_id,
});

async function write(name: string, ...documents: object[]): Promise<AgentSpec> {
  await writeFile(join(folder, name), documents.map((one) => `${JSON.stringify(one)}\n`).join(""));
  return { ...parseAddress(`replay+file:${name}`), cwd: folder };
}

async function replay(agent: AgentSpec, options = {}) {
  const { run } = await hub.hub.submit({ agent, task: { description: "x" }, options });
  return hub.ended(run.id);
}

describe("a replay", () => {
  it("plays a file by its path or URL, with the new task's id and nothing else changed", async () => {
    const spec = await write(
      "good one.jsonl",
      HEADER,
      received("head", "", { name: "atp.v1" }),
      received("frame", RESPONSE),
    );
    const byPath = await replay(spec);
    expect(byPath).toMatchObject({
      status: "completed",
      violations: [],
      extensions: { said: HEADER.run_id },
    });
    const url = new URL(`file://${folder}/good one.jsonl`).href;
    expect(await replay(parseAddress(`replay+${url}`))).toMatchObject({
      status: "completed",
      violations: [],
    });
  });

  it.each<[string, () => Promise<AgentSpec>, RegExp]>([
    [
      "a file that is not there",
      async () => parseAddress("replay+file:/no/such/file"),
      /\/no\/such\/file: there is no such file/,
    ],
    ["a folder", async () => parseAddress(`replay+file:${folder}`), /it is not a file/],
    [
      "something else",
      () => write("else.jsonl", { hello: "secret" }),
      /else\.jsonl:1 {2}this is no recording/,
    ],
    [
      "another protocol",
      () => write("other.jsonl", { ...HEADER, protocol: "smoke" }),
      /speaks "smoke", which cannot/,
    ],
    [
      "another transport",
      () => write("pigeon.jsonl", { ...HEADER, transport: "pigeon" }),
      /recorded over "pigeon"/,
    ],
    ["a replay", () => write("again.jsonl", { ...HEADER, protocol: "replay" }), /the recording of a replay/],
    [
      "a part",
      () => write("part.jsonl", HEADER, received("dropped", "", { dropped_bytes: 5 })),
      /not complete/,
    ],
    [
      "a beginning",
      () => write("cut.jsonl", HEADER, received("head", "", { name: "atp.v1" })),
      /cut off before its end/,
    ],
  ])("of %s fails, and says so", async (_what, spec, message) => {
    const { status, failure } = await replay(await spec());
    expect({ status, code: failure?.code }).toEqual({ status: "failed", code: "RECORDING_UNUSABLE" });
    expect(failure?.message).toMatch(message);
    expect(failure?.message).not.toContain("secret");
  });

  it("calls tools again, in their place", async () => {
    const call = {
      at_ms: 1,
      tool: "web_search",
      input: { q: "Slack" },
      output: { old: 1 },
      status: "success",
    };
    const event = JSON.stringify({
      version: "1.0",
      task_id: HEADER.run_id,
      timestamp: HEADER.recorded_at,
      sequence: 0,
      event_type: "tool_call",
      payload: { tool: "web_search", input: { q: "Slack" } },
    });
    const head = received("head", "", { name: "atp.v1" });
    const spec = await write(
      "tools.jsonl",
      HEADER,
      head,
      call,
      received("frame", event),
      received("frame", RESPONSE),
    );
    const tools = { tools: [{ name: "web_search", default: { output: { new: 2 } } }] };
    const run = await replay(spec, { tools });
    expect(run).toMatchObject({ status: "completed", violations: [], metrics: { observed_tool_calls: 1 } });
    const log = await hub.log(run.id);
    const called = log.flatMap((one) =>
      one.type === "tool.called" ? [one.payload satisfies ObservedCall] : [],
    );
    expect(called).toMatchObject([{ tool: "web_search", input: { q: "Slack" }, output: { new: 2 } }]);
    expect(log.findIndex(({ type }) => type === "tool.called")).toBeLessThan(
      log.findIndex(({ type }) => type === "tool_call"),
    );
    expect(await replay(spec)).toMatchObject({ status: "completed" });
  });
});
