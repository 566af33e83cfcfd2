// From a recording of an A2A agent to a script that answers the same, served at once or by way of a file that people can edit.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HANG_MS } from "../../../test/support/eventually.ts";
import { openTestHub, type TestHub } from "../../../test/support/test-hub.ts";
import { serveA2a, type Asked } from "../../../test/support/a2a/scripted-server.ts";
import { artifactFrame, statusFrame, taskOf } from "../../../test/support/a2a/task-words.ts";
import type { RunEvent } from "../../core/event.ts";
import type { JsonObject } from "../../core/json.ts";
import { textPart } from "../../core/message.ts";
import { writeRecording } from "../../doubles/recordings/write-recording.ts";
import { loadScript } from "../../doubles/scripted/load-script.ts";
import type { ScriptFile } from "../../doubles/scripted/script-schema.ts";
import { substanceOf } from "../../suites/substance.ts";
import { recordedScript } from "./recorded-script.ts";
import { codecs, startScriptedAgent } from "./start-scripted-agent.ts";

let hub: TestHub;
beforeAll(async () => {
  hub = await openTestHub();
});
afterAll(() => hub.close());

/** A run whose every question gets this answer. */
async function run(agent: string, answer = "Oslo") {
  const options = { record: true, conversation: {} };
  const { run: made } = await hub.hub.submit({ agent, task: { description: "Plan my day" }, options });
  for await (const event of hub.hub.follow(made.id, -1, new AbortController().signal)) {
    if (event.type !== "question.asked") continue;
    const { id: question_id } = event.payload.question;
    await hub.hub.answer(made.id, { question_id, parts: [textPart(answer)] });
  }
  const ended = await hub.hub.run(made.id);
  const log = await hub.log(made.id);
  const file = join(hub.folder, `${made.id}.jsonl`);
  await writeRecording(file, ended, each(log));
  // The ids of tasks are new each time, and states come before the task is looked at again, or after.
  const { events: _, ...substance } = await substanceOf(ended, each(log));
  const said = (await hub.hub.messages(made.id)).map(({ message: { parts } }) => parts);
  const asked = log.flatMap((event) =>
    event.type === "question.asked" ? [event.payload.question.parts] : [],
  );
  return { file, outcome: { substance, said, asked } };
}

async function* each(log: readonly RunEvent[]): AsyncGenerator<RunEvent> {
  yield* log;
}

async function serving<T>(script: ScriptFile, use: (agent: string) => Promise<T>): Promise<T> {
  const served = await startScriptedAgent({ port: 0, script });
  try {
    return await use(`a2a+${served.url}`);
  } finally {
    await served.close();
  }
}

const isAnswer = ({ params }: Asked): boolean => (params["message"] as JsonObject)["taskId"] !== undefined;

async function play(asked: Asked, ...frames: JsonObject[]): Promise<void> {
  const stream = asked.stream();
  for (const frame of frames) await stream.frame(frame);
  stream.end();
}

/** Asks which city, and writes its plan in two pieces, with words that a script could take for its own. */
function planner(asked: Asked): void | Promise<void> {
  if (asked.operation !== "stream") return asked.result(taskOf("INPUT_REQUIRED", {}, "Which city?"));
  return isAnswer(asked)
    ? play(
        asked,
        { task: taskOf("WORKING") },
        statusFrame("WORKING", "{{text}} costs ${PRICE} and $${TAX}"),
        artifactFrame("# A day "),
        artifactFrame("in Oslo", { append: true, lastChunk: true }),
        statusFrame("COMPLETED", "done"),
      )
    : play(asked, { task: taskOf("SUBMITTED") }, statusFrame("INPUT_REQUIRED", "Which city?"));
}

let polls = 0;

const AGENTS: [what: string, agent: (asked: Asked) => void | Promise<void>, streaming: boolean][] = [
  ["asks and streams", planner, true],
  [
    "answers with a message alone",
    (asked) => play(asked, { message: { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "Hi." }] } }),
    true,
  ],
  [
    "is asked again and again",
    (asked) => {
      if (asked.operation === "send") polls = 0;
      const task = polls++ < 2 ? taskOf("WORKING") : taskOf("COMPLETED", {}, "at last");
      asked.result(asked.operation === "send" ? { task } : task);
    },
    false,
  ],
  ["refuses", (asked) => asked.error(-32005, "no such media"), true],
];

describe("the recording of an A2A agent as a script", { timeout: HANG_MS }, () => {
  it.each(AGENTS)("answers as an agent that %s", async (_what, agent, streaming) => {
    const served = await serveA2a(agent, { streaming });
    const live = await run(`a2a+${served.url}`);
    const recorded = await recordedScript(live.file, { speed: 0 });
    if (!recorded) throw new Error("it is a recording of A2A");
    expect(await serving(recorded.script, async (url) => (await run(url)).outcome)).toEqual(live.outcome);
    // And by way of a file, which a person may change in between.
    const file = join(hub.folder, "script.yaml");
    await writeFile(file, recorded.text);
    const again = await loadScript(file, codecs, { variables: { PRICE: "wrong", TAX: "wrong" } });
    expect(await serving(again, async (url) => (await run(url)).outcome)).toEqual(live.outcome);
  });

  it("has nothing of the recorded task, and waits as long as it was told to", async () => {
    const served = await serveA2a(planner);
    const { file } = await run(`a2a+${served.url}`);
    const lines = (await readFile(file, "utf8")).split("\n");
    // The last frame of the first turn came 90 ms after the one before.
    const at = lines.findIndex((line) => line.includes("INPUT_REQUIRED"));
    const shifted = lines.map((line, index) =>
      index < at ? line : line.replace(/"at_ms":(\d+)/, (_all, ms: string) => `"at_ms":${Number(ms) + 90}`),
    );
    await writeFile(file, shifted.join("\n"));
    const text = (await recordedScript(file, { speed: 2 }))?.text ?? "";
    const delays = [...text.matchAll(/delay_ms: (\d+)/g)].map(([, ms]) => Number(ms));
    expect(Math.max(...delays)).toBeGreaterThanOrEqual(45);
    expect(text).not.toMatch(/t-1|c-1|timestamp|history/);
    expect((await recordedScript(file, { speed: 0 }))?.text).not.toContain("delay_ms");
  });
});
