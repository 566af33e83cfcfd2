// Protocols whose agents take a task and nothing else: whoever wants to talk to them is told so, and nothing is written.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HANG_MS } from "../../test/support/eventually.ts";
import { openTestHub, type TestHub } from "../../test/support/test-hub.ts";
import { textPart } from "../core/message.ts";
import { createDriverLookup } from "./registry.ts";

const AGENTS = [
  { protocol: "term", transport: "stdio", command: ["agent.py"] },
  { protocol: "replay", transport: "file", url: "file:///recording.jsonl" },
];
const task = { description: "no questions, please" };

describe.each(AGENTS)("an agent of $protocol", { timeout: HANG_MS }, (agent) => {
  let hub: TestHub;
  beforeAll(async () => {
    hub = await openTestHub();
  });
  afterAll(() => hub.close());

  it("has no way to be talked to, and its driver says so", () => {
    const { talks } = createDriverLookup({ hubId: "test" })(agent);
    expect(talks?.says).toBeUndefined();
    expect(talks?.follows).toBeUndefined();
  });

  it("hears no message, follows no run, and was never asked anything", async () => {
    const { run } = await hub.hub.prepare({ agent, task, options: { conversation: {} } });
    const said = hub.hub.say(run.id, { parts: [textPart("hello")] });
    await expect(said).rejects.toMatchObject({
      code: "NOT_SUPPORTED",
      message: expect.stringContaining("nothing can be said to"),
    });
    const answered = hub.hub.answer(run.id, { question_id: "q", parts: [textPart("yes")] });
    await expect(answered).rejects.toMatchObject({ code: "QUESTION_NOT_FOUND" });
    const before = await hub.log(run.id);
    expect(before.map(({ type }) => type)).toEqual(["run.created"]);
    await hub.hub.cancel(run.id);
    const followed = hub.hub.submit({ agent, task, follows: run.id });
    await expect(followed).rejects.toMatchObject({
      code: "NOT_SUPPORTED",
      message: expect.stringContaining("its protocol has no way to say what came before"),
    });
    expect((await hub.hub.runs({ limit: 10 })).items).toHaveLength(1);
  });
});
