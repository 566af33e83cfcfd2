// Differential: whatever a model does, its recording comes to the same when it is played.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTools, type ToolsHarness } from "../../../test/support/doubles/tools-harness.ts";
import {
  calls,
  chunk,
  completion,
  frame,
  frames,
  json,
  refuses,
  says,
  serveModel,
  STREAM_HEAD,
  type Reply,
} from "../../../test/support/openai/scripted-model.ts";
import { openTestHub, type TestHub } from "../../../test/support/test-hub.ts";
import type { AgentSpec } from "../../core/agent.ts";
import type { RunEvent } from "../../core/event.ts";
import type { RunRequest } from "../../core/ports/hub.ts";
import { writeRecording } from "../../doubles/recordings/write-recording.ts";
import { substanceOf } from "../../suites/substance.ts";

let tools: ToolsHarness;
let hub: TestHub;
beforeAll(async () => {
  tools = await startTools();
  hub = await openTestHub({ graceMs: 200, tools: tools.host });
});
afterAll(async () => {
  await hub.close();
  await tools.close();
});

async function run(agent: AgentSpec, request: Partial<RunRequest>) {
  const { run: submitted } = await hub.hub.submit({ agent, task: { description: "do it" }, ...request });
  const ended = await hub.ended(submitted.id);
  const log = await hub.log(submitted.id);
  const file = join(hub.folder, "recordings", `${submitted.id}.jsonl`);
  await writeRecording(file, ended, each(log), { key: "k", runNumber: 1, testId: "t" });
  const rules = log.flatMap((event) => (event.type === "violation" ? [event.payload.rule] : []));
  return { file, ended, outcome: { substance: await substanceOf(ended, each(log)), rules } };
}

async function* each(log: readonly RunEvent[]): AsyncGenerator<RunEvent> {
  yield* log;
}

const TOOLS = { tools: [{ name: "weather", default: { output: "4 degrees" } }] };

const MODELS: [string, Reply[]][] = [
  ["streams", [says("It ", "rains.")]],
  ["answers with a document", [json(completion({ content: "It rains." }))]],
  ["calls a tool", [calls({ name: "weather", arguments: { city: "Oslo" } }), says("4 degrees.")]],
  ["refuses", [json(completion({ content: null, refusal: "No." }))]],
  ["is rate limited once", [refuses(429, {}, { "retry-after-ms": "1" }), says("Hi.")]],
  ["has no such key", [refuses(401, { message: "Incorrect API key" })]],
  ["redirects", [(response) => void response.writeHead(302, { location: "http://other.test/x" }).end()]],
  ["sends garbage", [frames("{ nothing", chunk({ content: 7 }), chunk({ content: "Hi" }, "stop"), "[DONE]")]],
  ["sends a page", [(response) => void response.writeHead(200, { "content-type": "text/html" }).end("<p>")]],
  [
    "breaks off",
    [
      (response) => {
        response.writeHead(200, STREAM_HEAD);
        response.write(frame(chunk({ content: "Once" })), () => response.destroy());
      },
    ],
  ],
];

describe("the recording of a chat model", () => {
  it.each(MODELS)("that %s comes to the same when it is played", async (_what, replies) => {
    const server = await serveModel(...replies);
    const agent = { protocol: "openai", transport: "http", url: `${server.base}#gpt-test` };
    const live = await run(agent, { options: { tools: TOOLS, record: true } });
    const asked = server.asked.length;
    const played = await run(
      { protocol: "replay", transport: "file", url: `file:${live.file}` },
      { options: { tools: TOOLS } },
    );
    expect(played.outcome).toEqual(live.outcome);
    expect(played.ended.failure).toEqual(live.ended.failure);
    expect(server.asked).toHaveLength(asked);
  });
});
