// Streams that break anywhere: whatever the server keeps of them, the run hears everything once.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HANG_MS } from "../../../../test/support/eventually.ts";
import { propertyRuns } from "../../../../test/support/property-runs.ts";
import { openSession, type WatchedSession } from "../../../../test/support/a2a/open-session.ts";
import { serveA2a, type Asked, type ServedBinding } from "../../../../test/support/a2a/scripted-server.ts";
import {
  agentMessage,
  artifactFrame,
  statusFrame,
  TASK,
  taskOf,
} from "../../../../test/support/a2a/task-words.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import type { A2aVersion } from "../service.ts";

/** A task that says two things and writes an artifact in three pieces. */
const FRAMES: JsonObject[] = [
  { task: taskOf("SUBMITTED") },
  statusFrame("WORKING", "one"),
  artifactFrame("Hello "),
  artifactFrame("wörld ☃", { append: true }),
  statusFrame("WORKING", "two"),
  artifactFrame("!", { append: true, lastChunk: true }),
  statusFrame("COMPLETED", "three"),
];
const WHOLE = "Hello wörld ☃!";

/** What a server has of the task after so many of its frames. */
function snapshotAfter(count: number): JsonObject {
  const done = FRAMES.slice(0, count);
  const texts = done.flatMap((frame) => {
    const update = frame["artifactUpdate"] as JsonObject | undefined;
    const artifact = update?.["artifact"] as JsonObject | undefined;
    return artifact ? [artifact["parts"] ?? []] : [];
  });
  const said = done.flatMap((frame) => {
    const update = frame["statusUpdate"] as JsonObject | undefined;
    const status = update?.["status"] as JsonObject | undefined;
    return status ? [status] : [];
  });
  const status = said.at(-1) ?? { state: "TASK_STATE_SUBMITTED" };
  const history = said.slice(0, -1).map((earlier) => earlier["message"] as Json);
  const parts = texts.flat();
  const artifacts = parts.length > 0 ? [{ artifactId: "a-1", name: "answer.txt", parts }] : [];
  return { id: TASK, contextId: "c-1", status, history, artifacts };
}

interface Cut {
  binding: ServedBinding;
  version: A2aVersion;
  /** Frames carry ids, and the server goes on after the last one that a client has; `ignored`: it does not. */
  ids: "none" | "kept" | "ignored";
  /** The byte at which the first stream breaks. */
  at: number;
  /** How many frames the task is further when the client comes back. */
  later: number;
  /** How many further frames the next stream has already when the client looks at the task. */
  overlap: number;
}

/** Plays the task on a stream that breaks, and on those with which the client comes back. */
async function drive({ binding, version, ids, at, later, overlap }: Cut): Promise<WatchedSession> {
  let reached = 0;
  let looked = (): void => undefined;
  const hasLooked = new Promise<void>((resolve) => (looked = resolve));
  const last = FRAMES.length - 1;
  const served = await serveA2a((asked) => answer(asked), { binding, version });

  async function answer(asked: Asked): Promise<void> {
    switch (asked.operation) {
      case "stream":
        return breakOff(asked);
      case "subscribe":
        return goOn(asked);
      case "getTask":
        asked.result(wire({ task: snapshotAfter(reached) }, version, true));
        return looked();
      default:
        return asked.error(-32601, "no");
    }
  }

  function breakOff({ response }: Asked): void {
    const frames = FRAMES.map((frame, index) => frameBytes(frame, index));
    const bytes = Buffer.concat(frames);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(bytes.subarray(0, at));
    if (at >= bytes.length) {
      reached = FRAMES.length;
      return void response.end();
    }
    let size = 0;
    const sent = frames.findIndex((frame) => (size += frame.length) > at);
    reached = Math.min(last, sent + later);
    // What was written is sent before the connection breaks.
    response.socket?.end();
  }

  async function goOn(asked: Asked): Promise<void> {
    const seen = asked.headers["last-event-id"];
    const isExact = ids === "kept" && typeof seen === "string";
    let next = isExact ? Number(seen) + 1 : reached;
    const stream = asked.stream();
    const send = async (until: number): Promise<void> => {
      for (; next < until; next++) {
        reached = Math.max(reached, next + 1);
        await stream.frame(wire(FRAMES[next] ?? {}, version), ids === "none" ? undefined : String(next));
      }
    };
    if (version === "1.0" && typeof seen !== "string") await stream.frame({ task: snapshotAfter(reached) });
    await send(Math.min(last, next + overlap));
    if (version === "0.3" && typeof seen !== "string") await hasLooked;
    await send(FRAMES.length);
    stream.end();
  }

  function frameBytes(frame: JsonObject, index: number): Buffer {
    const id = ids === "none" ? "" : `id: ${index}\n`;
    const event = wire(frame, version);
    // The message is the first request that a client sends.
    const data = binding === "JSONRPC" ? { jsonrpc: "2.0", id: 1, result: event } : event;
    return Buffer.from(`${id}data: ${JSON.stringify(data)}\n\n`);
  }

  const session = openSession({ protocol: "a2a", transport: "http", url: served.url });
  await session.done;
  await served.server.close();
  return session;
}

/** The frame in the version's words. */
function wire(frame: JsonObject, version: A2aVersion, isBare = false): JsonObject {
  if (version === "1.0") return isBare ? (Object.values(frame)[0] as JsonObject) : frame;
  const [[kind, value] = ["", {}]] = Object.entries(frame);
  return {
    kind: KINDS[kind] ?? "task",
    ...(older(value as Json) as JsonObject),
    ...finality(kind, value as JsonObject),
  };
}

const KINDS: Record<string, string> = {
  task: "task",
  statusUpdate: "status-update",
  artifactUpdate: "artifact-update",
};

function finality(kind: string, value: JsonObject): JsonObject {
  if (kind !== "statusUpdate") return {};
  return { final: (value["status"] as JsonObject)["state"] === "TASK_STATE_COMPLETED" };
}

/** States, roles and parts as 0.3 writes them. */
function older(value: Json): Json {
  if (Array.isArray(value)) return value.map(older);
  if (typeof value === "string") {
    return value.startsWith("TASK_STATE_")
      ? value.slice("TASK_STATE_".length).toLowerCase()
      : value.replace(/^ROLE_(AGENT|USER)$/, (_, role: string) => role.toLowerCase());
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, older(inner ?? null)] as const);
  const kind = "messageId" in value ? { kind: "message" } : "text" in value ? { kind: "text" } : {};
  return { ...kind, ...Object.fromEntries(entries) };
}

function expectWhole(session: WatchedSession): void {
  expect(session.all("end")).toMatchObject([{ end: { status: "completed" } }]);
  expect(session.said()).toEqual(["one", "two", "three"]);
  expect(session.files()["answer.txt"]).toBe(WHOLE);
  const closed = session.all("chunk").filter(({ last }) => last).length;
  const whole = session.all("artifact").filter(({ artifact }) => artifact.type === "file").length;
  expect(closed + whole).toBe(1);
  expect(session.all("artifact").at(-1)).toMatchObject({
    artifact: { name: "result", data: { output: WHOLE } },
  });
  const states = session
    .all("event")
    .flatMap(({ event }) => (event.type === "state_change" ? [event.payload.to_state] : []));
  expect(new Set(states).size).toBe(states.length);
}

describe("a stream that breaks at any byte", { timeout: HANG_MS }, () => {
  const firstFrame = JSON.stringify({ jsonrpc: "2.0", id: 1, result: FRAMES[0] }).length + 40;

  it.each([
    { binding: "JSONRPC", version: "1.0" },
    { binding: "HTTP+JSON", version: "1.0" },
    { binding: "JSONRPC", version: "0.3" },
  ] as const)("is gone on with over $binding $version, and nothing is lost or doubled", async (spoken) => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          ids: fc.constantFrom("none" as const, "kept" as const),
          at: fc.integer({ min: firstFrame, max: firstFrame + 2000 }),
          later: fc.nat(3),
          overlap: fc.nat(3),
        }),
        async (cut) => expectWhole(await drive({ ...spoken, ...cut })),
      ),
      { numRuns: propertyRuns(120) },
    );
  });

  it("is made up for at the end by a look at the task where the server forgets what a client has not seen", async () => {
    for (const later of [1, 2, 3]) {
      const at = firstFrame + 250;
      const session = await drive({
        binding: "JSONRPC",
        version: "1.0",
        ids: "ignored",
        at,
        later,
        overlap: 0,
      });
      expect(session.all("end")).toMatchObject([{ end: { status: "completed" } }]);
      expect(session.said().toSorted()).toEqual(["one", "three", "two"]);
      expect(session.files()["answer.txt"]).toBe(WHOLE);
    }
  });

  it("of an agent that comes back without the task is a connection that was lost", async () => {
    const served = await serveA2a(async (asked) => {
      if (asked.operation !== "stream") return asked.error(-32001, "Task not found");
      await asked.stream().frame({ task: taskOf("WORKING") });
      asked.response.socket?.end();
    });
    const session = openSession({ protocol: "a2a", transport: "http", url: served.url });
    expect(await session.end()).toMatchObject({
      status: "failed",
      failure: { code: "CONNECTION_LOST", details: { reason: "TASK_NOT_FOUND" } },
    });
  });

  it("before its first frame is a connection that was lost, and the message is not sent again", async () => {
    const served = await serveA2a((asked) => {
      const { response } = asked;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write('data: {"jsonrpc":"2.0","id":1,"resu');
      response.socket?.end();
    });
    const session = openSession({ protocol: "a2a", transport: "http", url: served.url });
    expect(await session.end()).toMatchObject({ status: "failed", failure: { code: "CONNECTION_LOST" } });
    expect(served.asked.filter(({ operation }) => operation === "stream")).toHaveLength(1);
  });

  it("again and again without news is given up after a bounded number of tries", async () => {
    const served = await serveA2a(async (asked) => {
      if (asked.operation === "getTask") return asked.result(taskOf("WORKING"));
      const stream = asked.stream();
      await stream.frame({ task: taskOf("WORKING", { history: [agentMessage("one")] }) });
      stream.end();
    });
    const session = openSession({ protocol: "a2a", transport: "http", url: served.url });
    expect(await session.end()).toMatchObject({ status: "failed", failure: { code: "NO_RESPONSE" } });
    expect(served.asked.filter(({ operation }) => operation === "subscribe").length).toBeLessThan(10);
    expect(session.rules()).toContain("a2a.stream.end");
    expect(session.said()).toEqual(["one"]);
  });
});
