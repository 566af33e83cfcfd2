// Agents that speak envelopes, and ask something while they work.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { eventually, HANG_MS } from "../../../test/support/eventually.ts";
import { openTestMessages, type TestMessages } from "../../../test/support/messages/open-test-messages.ts";
import type { EnvelopeDraft, Envelope } from "../../core/envelope.ts";
import { textPart } from "../../core/message.ts";

let opened: TestMessages;
let server: Server | undefined;
afterEach(async () => {
  await opened.close();
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

const ASKING = {
  kind: "permission",
  text: "May I?",
  options: [{ id: "yes", name: "Yes", effect: "allow" }, "no"],
};

/** The reply of an agent to an envelope. */
const reply = (to: Envelope, draft: Partial<EnvelopeDraft>): EnvelopeDraft => ({
  from: "box",
  to: "hub",
  type: "response",
  action: "execute",
  inReplyTo: to.id,
  ...draft,
});

async function begin(url: string, transport: string): Promise<string> {
  opened = await openTestMessages();
  await opened.hub.addAgent({ name: "box", protocol: "envelope", transport, url });
  const options = { conversation: {} };
  return (await opened.hub.submit({ agent: "box", task: { description: "sum" }, options })).run.id;
}

async function questionsOf(runId: string) {
  return eventually(async () => {
    const { status, questions } = await opened.hub.run(runId);
    expect([status, questions.length]).toEqual(["waiting", 1]);
    return questions;
  });
}

async function nextFor(receiver: string, after: number): Promise<{ envelope: Envelope; position: number }> {
  const signal = AbortSignal.timeout(HANG_MS);
  const [entry] = await opened.messages.receive(receiver, { after, limit: 1, waitMs: HANG_MS }, signal);
  if (entry === undefined) throw new Error("nothing came");
  return entry;
}

it(
  "An agent that takes its tasks from an inbox asks, and gets the answer there",
  { timeout: HANG_MS },
  async () => {
    const runId = await begin("inbox:box", "inbox");
    const task = await nextFor("box", 0);
    await opened.messages.send(
      reply(task.envelope, { id: "q-1", type: "request", action: "ask", payload: ASKING }),
    );
    expect(await questionsOf(runId)).toMatchObject([
      {
        id: "q-1",
        kind: "permission",
        parts: [{ text: "May I?" }],
        options: [{ id: "yes" }, { id: "no", effect: "other" }],
      },
    ]);
    await opened.hub.answer(runId, { question_id: "q-1", option: "yes" });
    const { envelope } = await nextFor("box", task.position);
    expect(envelope).toMatchObject({
      from: "hub",
      type: "response",
      action: "ask",
      inReplyTo: "q-1",
      payload: { outcome: "given", option: "yes" },
      trace: { traceId: task.envelope.trace.traceId, parentId: task.envelope.trace.spanId },
    });
    await opened.messages.send(reply(task.envelope, { payload: { result: 42 } }));
    expect(await opened.ended(runId)).toMatchObject({ status: "completed" });
  },
);

it(
  "An agent without an inbox or a question's id is told nothing, and what it did is noted",
  { timeout: HANG_MS },
  async () => {
    const runId = await begin("inbox:box", "inbox");
    const { envelope } = await nextFor("box", 0);
    await opened.messages.send(
      reply(envelope, { id: "q-1", type: "request", action: "ask", payload: "Which city?" }),
    );
    expect(await questionsOf(runId)).toMatchObject([{ kind: "input", parts: [{ text: "Which city?" }] }]);
    await opened.messages.send(reply(envelope, { payload: { result: 1 } }));
    const ended = await opened.ended(runId);
    expect([ended.status, ended.questions]).toEqual(["completed", []]);
  },
);

/** What the agent says to each envelope that it is POSTed. */
async function serve(
  answer: (envelope: Envelope) => EnvelopeDraft[],
): Promise<{ url: string; heard: Envelope[] }> {
  const heard: Envelope[] = [];
  server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      // The hub sends nothing else.
      const envelope = JSON.parse(text) as Envelope;
      heard.push(envelope);
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer(envelope)));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server on a port has an address with a port.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, heard };
}

it(
  "An agent at a URL asks, is POSTed the answer, and ends its task with what it says to that",
  { timeout: HANG_MS },
  async () => {
    let task: Envelope | undefined;
    const { url, heard } = await serve((envelope) => {
      task ??= envelope;
      if (envelope.action === "ask") return [reply(task, { payload: { result: envelope.payload } })];
      return [reply(task, { id: "q-1", type: "request", action: "ask", payload: { text: "Which city?" } })];
    });
    const runId = await begin(url, "http");
    await questionsOf(runId);
    await opened.hub.answer(runId, { question_id: "q-1", parts: [textPart("Rome")] });
    expect(await opened.ended(runId)).toMatchObject({ status: "completed" });
    expect(heard[1]).toMatchObject({
      type: "response",
      action: "ask",
      inReplyTo: "q-1",
      payload: { outcome: "given", text: "Rome" },
    });
  },
);
