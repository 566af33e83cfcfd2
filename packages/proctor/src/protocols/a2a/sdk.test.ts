// Agents on the official SDKs of 1.0 and 0.3, driven through a hub: the oracle for both halves of what we believe about A2A.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveSdk03, serveSdk1, type SdkServer } from "../../../test/support/a2a/sdk-servers.mjs";
import { openSession } from "../../../test/support/a2a/open-session.ts";
import { HANG_MS } from "../../../test/support/eventually.ts";
import { openTestHub, type TestHub } from "../../../test/support/test-hub.ts";
import { answerOf } from "../../core/answer.ts";
import { textPart } from "../../core/message.ts";

const SERVERS: [name: string, serve: () => Promise<SdkServer>][] = [
  ["SDK 1.3, JSON-RPC", () => serveSdk1("JSONRPC")],
  ["SDK 1.3, HTTP+JSON", () => serveSdk1("HTTP+JSON")],
  ["SDK 1.3, JSON-RPC without streams", () => serveSdk1("JSONRPC", { streaming: false })],
  ["SDK 1.3, HTTP+JSON without streams", () => serveSdk1("HTTP+JSON", { streaming: false })],
  ["SDK 0.3, JSON-RPC", () => serveSdk03("JSONRPC")],
  ["SDK 0.3, HTTP+JSON", () => serveSdk03("HTTP+JSON")],
  ["SDK 0.3, JSON-RPC without streams", () => serveSdk03("JSONRPC", { streaming: false })],
];

describe.each(SERVERS)("an agent on %s", { timeout: HANG_MS }, (_name, serve) => {
  let served: SdkServer;
  let hub: TestHub;
  beforeAll(async () => {
    served = await serve();
    hub = await openTestHub();
  });
  afterAll(async () => {
    await hub.close();
    await served.close();
  });

  const submit = async (description: string, follows?: string) => {
    const { run } = await hub.hub.submit({
      agent: `a2a+${served.url}`,
      task: { description },
      options: { conversation: {} },
      ...(follows !== undefined && { follows }),
    });
    return run.id;
  };

  it("does a task: what it says, its artifact whole, its answer, and nothing wrong", async () => {
    const run = await hub.ended(await submit("hello"));
    expect(run).toMatchObject({ status: "completed" });
    expect(answerOf(run)).toBe("you said hello");
    expect(run.artifacts.map((artifact) => artifact["path"])).toContain("answer.txt");
    const said = (await hub.hub.messages(run.id)).map(({ message }) => message.parts[0]);
    expect(said.at(-1)).toMatchObject({ text: "done" });
    const log = await hub.log(run.id);
    expect(log.filter(({ type }) => type === "violation")).toEqual([]);
  });

  it.each([
    ["fail", "failed", "AGENT_FAILED"],
    ["reject", "rejected", "REJECTED"],
  ])("says that it will not: %s", async (text, status, code) => {
    expect(await hub.ended(await submit(text))).toMatchObject({ status, failure: { code, message: "done" } });
  });

  it("answers with a lone message", async () => {
    const run = await hub.ended(await submit("message"));
    expect([run.status, answerOf(run)]).toEqual(["completed", "hello"]);
  });

  it("asks, waits without a process, and goes on with the answer", async () => {
    const id = await submit("ask");
    await hub.until(id, ({ type }) => type === "session.parked");
    const { questions } = await hub.hub.run(id);
    expect(questions).toMatchObject([{ kind: "input", parts: [{ text: "which?" }] }]);
    await hub.hub.answer(id, { question_id: questions[0]?.id ?? "", parts: [textPart("blue")] });
    const run = await hub.ended(id);
    expect([run.status, answerOf(run)]).toEqual(["completed", "you said blue"]);
  });

  it("goes on with a conversation in a task of its own", async () => {
    const first = await hub.ended(await submit("one"));
    const second = await hub.ended(await submit("two", first.id));
    expect(second.status).toBe("completed");
    const contexts = await Promise.all(
      [first, second].map(async ({ id }) =>
        (await hub.log(id)).flatMap((event) =>
          event.type === "session.opened" ? [event.payload.ids?.["context_id"]] : [],
        ),
      ),
    );
    expect(new Set(contexts.flat()).size).toBe(1);
  });
});

describe("an agent on the SDK that is cancelled", { timeout: HANG_MS }, () => {
  it("is told so, and the run ends", async () => {
    const served = await serveSdk1("JSONRPC");
    const session = openSession(
      { protocol: "a2a", transport: "http", url: served.url },
      { task: { description: "wait" } },
    );
    await session.heard("message");
    session.cancel();
    expect(await session.end()).toMatchObject({ status: "cancelled", failure: { code: "CANCELLED" } });
    await served.close();
  });
});
