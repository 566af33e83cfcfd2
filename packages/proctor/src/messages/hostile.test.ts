// Envelopes of senders that mean no good, and of those that only made a mistake.
import { afterEach, beforeEach, expect, it } from "vitest";
import { HANG_MS } from "../../test/support/eventually.ts";
import { openServedMessages, type ServedMessages } from "../../test/support/messages/open-served-messages.ts";
import { createScriptedDriver } from "../../test/support/scripted-driver.ts";
import type { Caller } from "../core/caller.ts";
import type { EnvelopeDraft } from "../core/envelope.ts";
import type { Registry } from "../core/ports/registry.ts";
import { createLoopGuard } from "./loop-guard.ts";

const BOX = { name: "box", protocol: "envelope", transport: "inbox", url: "inbox:box" };
let served: ServedMessages;
const asked: unknown[] = [];
const registry = {
  search: async (query: { capability: string }) => ({
    matches: query.capability === "sum" ? [{ agent: BOX, capability: "sum" }] : [],
    rejected: [{ agent: "worker", reason: "its input needs a text" }],
  }),
  register: async (registration: { name: string }, caller: Caller) => {
    asked.push([registration, caller.name]);
    return {
      agent: { name: registration.name },
      instance: "i",
      lease_seconds: 90,
      interval_seconds: 30,
      token: "t0ken",
    };
  },
  beat: async (name: string, beat: object) => {
    asked.push([name, beat]);
    return { state: "online", lease_seconds: 90, interval_seconds: 30, commands: ["drain"] };
  },
} as unknown as Registry;

beforeEach(async () => {
  asked.length = 0;
  served = await openServedMessages({ driver: createScriptedDriver(), registry, limits: { count: 5 } });
  const { hub } = served.local;
  await hub.addAgent(BOX);
  await hub.addAgent({ name: "worker", protocol: "atp", transport: "stdio", command: ["w"] });
});
afterEach(() => served.close());

const note = (change: Partial<EnvelopeDraft> = {}): EnvelopeDraft => ({
  to: "box",
  type: "request",
  action: "look",
  ...change,
});
const bound = (name: string): Caller => ({
  name: "token:1",
  scopes: ["messages:send", "messages:receive"],
  binding: { kind: "agent", name },
});
const send = (draft: EnvelopeDraft, caller?: Caller) => served.local.messages.send(draft, caller);
const inboxOf = async (receiver: string) =>
  (
    await served.messages.receive(receiver, { after: 0, limit: 100, waitMs: 0 }, AbortSignal.timeout(HANG_MS))
  ).map(({ envelope }) => envelope);
const post = (body: string, headers: Record<string, string> = { "content-type": "application/json" }) =>
  fetch(`${served.url}/messages`, { method: "POST", body, headers });

it("An envelope with a foreign `from` is refused, and a foreign inbox stays closed", async () => {
  const forbidden = { code: "FORBIDDEN" };
  await expect(send(note({ from: "worker" }), bound("box"))).rejects.toMatchObject(forbidden);
  await expect(send(note({ from: "user:ada" }), bound("box"))).rejects.toMatchObject(forbidden);
  await expect(send(note({ from: "hub" }))).rejects.toMatchObject(forbidden);
  await send(note({ from: "box", to: "user:ada" }), bound("box"));
  const signal = AbortSignal.timeout(HANG_MS);
  const { messages } = served.local;
  const options = { after: 0, limit: 1, waitMs: 0 };
  await expect(messages.receive("user:ada", options, signal, bound("box"))).rejects.toMatchObject(forbidden);
  await expect(messages.acknowledge("worker", 9, bound("box"))).rejects.toMatchObject(forbidden);
  expect(() => messages.follow("hub", 0, signal)).toThrow(expect.objectContaining(forbidden) as Error);
});

it("An envelope without `from` is from whom its token is for", async () => {
  await send(note({ to: "user:x" }), bound("box"));
  const user: Caller = { name: "token:2", scopes: [], binding: { kind: "user", name: "ada" } };
  await send(note({ to: "user:x" }), user);
  await send(note({ to: "user:x" }), { name: "token:3", scopes: [] });
  expect((await inboxOf("user:x")).map(({ from }) => from)).toEqual(["box", "user:ada", "user:token:3"]);
  const folder: Caller = { name: "token:4", scopes: [], binding: { kind: "folder", name: "team" } };
  await expect(send(note(), folder)).rejects.toMatchObject({ code: "INVALID_REQUEST" });
});

it.each([
  ["is no object", '"hello"', 400],
  ["is no JSON", "{ broken", 400],
  ["is empty", "", 400],
  [
    "is nested too deeply",
    `{"to":"box","type":"request","action":"x","payload":${"[".repeat(300)}${"]".repeat(300)}}`,
    400,
  ],
  ["is an empty list", "[]", 400],
  ["is too long a list", JSON.stringify(Array(101).fill(note())), 400],
  ["has no receiver", '{"type":"request","action":"x"}', 400],
  ["has an unknown type", '{"to":"box","type":"order","action":"x"}', 400],
  ["has no action", '{"to":"box","type":"request"}', 400],
  ["has an id with control characters", JSON.stringify(note({ id: "a\u0000b" })), 400],
  ["lives for ever", JSON.stringify(note({ ttl: 1e12 })), 400],
  ["is larger than an envelope may be", JSON.stringify(note({ payload: "x".repeat(1_100_000) })), 413],
  ["is larger than any request may be", JSON.stringify(note({ payload: "x".repeat(17_000_000) })), 413],
  ["is of yesterday", JSON.stringify(note({ timestamp: 1_600_000_000 })), 409],
  ["was derived from too many", JSON.stringify(note({ hops: 17 })), 508],
])("An envelope that %s is refused over HTTP, and nothing is kept", async (_what, body, status) => {
  expect((await post(body)).status).toBe(status);
  expect(await inboxOf("box")).toEqual([]);
});

it("A page of another site cannot send envelopes as a plain form does", async () => {
  expect((await post(JSON.stringify(note()), { "content-type": "text/plain" })).status).toBe(415);
});

it("A full inbox says when to come back", async () => {
  for (let index = 0; index < 5; index++) await send(note());
  const answer = await post(JSON.stringify(note()));
  expect(answer.status).toBe(429);
  expect(answer.headers.get("retry-after")).toBe("5");
  expect(await answer.json()).toMatchObject({ code: "INBOX_FULL", details: { receiver: "box" } });
});

it("A list of envelopes is answered item by item, in order", async () => {
  const list = [note({ id: "a" }), note({ id: "b", to: "nobody" }), note({ id: "c" })];
  const answer = await post(JSON.stringify(list));
  expect(answer.status).toBe(202);
  expect(await answer.json()).toMatchObject({
    items: [
      { id: "a", created: true },
      { id: "b", error: { code: "AGENT_NOT_FOUND" } },
      { id: "c", created: true },
    ],
  });
  expect((await inboxOf("box")).map(({ id }) => id)).toEqual(["a", "c"]);
});

it.each([
  ["seconds", 1e-3],
  ["milliseconds", 1],
  ["microseconds", 1e3],
])("A timestamp in %s is told by its size", async (_unit, factor) => {
  const now = Math.floor(Date.now() / 1000) * 1000;
  await send(note({ timestamp: now * factor }));
  expect((await inboxOf("box"))[0]?.timestamp).toBe(now);
});

it("A sender whose timestamps are in another unit is remarked on once", async () => {
  const seconds = Math.floor(Date.now() / 1000);
  await send(note({ timestamp: Date.now() }));
  expect(served.local.problems).toEqual([]);
  for (const timestamp of [seconds, seconds, seconds * 1e6]) await send(note({ timestamp }));
  await send(note({ from: "user:bob", timestamp: seconds * 1e6 }));
  expect(served.local.problems).toEqual([
    'the timestamps of "user:operator" are taken for seconds; an envelope has epoch milliseconds',
    'the timestamps of "user:bob" are taken for microseconds; an envelope has epoch milliseconds',
  ]);
});

it("A timestamp in nanoseconds, which no double holds, is taken over HTTP", async () => {
  const now = Date.now();
  const body = JSON.stringify(note({ payload: { timestamp: 5 } })).replace(
    /}$/,
    `,"timestamp":${now}123457}`,
  );
  expect((await post(body)).status).toBe(202);
  expect((await inboxOf("box"))[0]).toMatchObject({ timestamp: now, payload: { timestamp: 5 } });
});

it("Trace ids of other forms are hashed, and the original is kept beside them", async () => {
  await send(note({ trace: { traceId: "req-17", spanId: "1" } }));
  const traceId = "5F9C3A1E-0B8D-4C57-9F0E-3A9D1B7C2E11";
  await send(note({ trace: { traceId, spanId: "b7ad6b7169203331" } }));
  const [odd, uuid] = await inboxOf("box");
  expect(odd?.trace).toMatchObject({
    originalTraceId: "req-17",
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
  });
  expect(uuid?.trace).toMatchObject({
    traceId: traceId.toLowerCase().replaceAll("-", ""),
    spanId: "b7ad6b7169203331",
  });
});

it("The traceparent of a request is the trace of its envelopes, and of the run that one starts", async () => {
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const headers = { "content-type": "application/json", traceparent: `00-${traceId}-b7ad6b7169203331-01` };
  await post(JSON.stringify(note()), headers);
  expect((await inboxOf("box"))[0]?.trace).toMatchObject({ traceId, parentId: "b7ad6b7169203331" });
  const answer = await post(
    JSON.stringify(note({ to: "worker", action: "execute", payload: "go" })),
    headers,
  );
  const { run_id: runId } = (await answer.json()) as { run_id: string };
  expect((await served.local.hub.run(runId)).trace_id).toBe(traceId);
});

it("An execute may not bring variables of programs, which would be kept as they came", async () => {
  const payload = { task: "go", context: { environment: { KEY: "v" } } };
  await expect(send(note({ to: "worker", action: "execute", payload }))).rejects.toMatchObject({
    code: "INVALID_REQUEST",
    message: expect.stringContaining("context.environment") as string,
  });
  for (const wrong of [
    null,
    7,
    {},
    { task: "" },
    { task: "go", constraints: [] },
    { task: "go", constraints: { max_steps: -1 } },
  ])
    await expect(send(note({ to: "worker", action: "execute", payload: wrong }))).rejects.toMatchObject({
      code: "INVALID_REQUEST",
    });
});

it("Only whoever started a run cancels it by envelope", async () => {
  const { run_id: runId } = await send(
    note({ id: "q", from: "user:ada", to: "worker", action: "execute", payload: "go" }),
  );
  await send(
    note({ id: "c1", from: "user:eve", to: "hub", action: "cancel", payload: { run_id: runId ?? "" } }),
  );
  expect((await inboxOf("user:eve"))[0]).toMatchObject({ type: "error", payload: { code: "FORBIDDEN" } });
  await send(note({ id: "c2", from: "user:eve", to: "worker", action: "cancel", inReplyTo: "q" }));
  expect((await inboxOf("user:eve"))[1]).toMatchObject({
    type: "error",
    payload: { code: "MESSAGE_NOT_FOUND" },
  });
  await send(note({ id: "c3", from: "user:ada", to: "worker", action: "cancel", inReplyTo: "q" }));
  expect((await served.local.ended(runId ?? "")).status).toBe("cancelled");
});

it("Whoever has a capability is found for it, and why nobody is found is said", async () => {
  expect(await send(note({ to: "capability:sum" }))).toMatchObject({ receiver: "box" });
  await expect(send(note({ to: "capability:fly" }))).rejects.toMatchObject({
    code: "CAPABILITY_NOT_FOUND",
    message: expect.stringContaining("worker: its input needs a text") as string,
  });
});

it("The hub registers an agent and takes its heartbeats by envelope, and writes down no token", async () => {
  await send(
    note({ from: "box", to: "hub", action: "register", payload: { capabilities: [] } }),
    bound("box"),
  );
  await send(
    note({ from: "box", to: "hub", action: "heartbeat", payload: { load: { active: 1 } } }),
    bound("box"),
  );
  expect(asked).toEqual([
    [{ name: "box", capabilities: [] }, "token:1"],
    ["box", { load: { active: 1 } }],
  ]);
  const answers = await inboxOf("box");
  expect(answers).toMatchObject([
    { type: "response", action: "register", payload: { lease_seconds: 90 } },
    { type: "response", action: "heartbeat", payload: { commands: ["drain"] } },
  ]);
  expect(JSON.stringify(answers)).not.toContain("t0ken");
});

it("More than a thousand envelopes of one trace within a minute are a loop", () => {
  const guard = createLoopGuard();
  for (let count = 0; count < 1000; count++) guard("t", 0, count);
  guard("other", 0, 1000);
  expect(() => guard("t", 0, 1001)).toThrow(expect.objectContaining({ code: "LOOP_DETECTED" }) as Error);
  guard("t", 0, 60_000);
});
