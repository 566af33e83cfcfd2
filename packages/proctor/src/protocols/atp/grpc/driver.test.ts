import { status } from "@grpc/grpc-js";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { JsonObject } from "../../../core/json.ts";
import {
  drive,
  jobFor,
  never,
  TASK_ID,
  TRACE_ID,
  type DriveOptions,
} from "../../../../test/support/atp/drive-grpc.ts";
import { atpEvent } from "../../../../test/support/atp/drive-http.ts";
import type { Driven } from "../../../../test/support/gather-reports.ts";
import { createGrpcDriver } from "./driver.ts";
import {
  fromStruct,
  metadata,
  servePeer,
  toStruct,
  type PeerHandlers,
  type PeerMessage,
} from "../../../../test/support/atp/grpc-peer.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const close of closers.splice(0)) close();
});

describe("a gRPC agent that streams", () => {
  it("is told the task, and its events and its response are reported", async () => {
    // The time that is left is then the same on both sides, however slow they are.
    vi.useFakeTimers({ toFake: ["Date"] });
    let told: PeerMessage = {};
    let traceparent = "";
    let deadlineMs = 0;
    const { reports, end } = await driven(
      {
        ExecuteStream(call) {
          told = call.request;
          traceparent = String(call.metadata.get("traceparent")[0]);
          deadlineMs = Number(call.getDeadline()) - Date.now();
          expect(call.metadata.get("authorization")).toEqual(["Bearer secret"]);
          call.write({ event: event(0, { message: "on it", percentage: 50 }) });
          call.write({ response: { ...response(), artifacts: [file("a.bin", Buffer.from([0, 255]))] } });
          call.end();
        },
      },
      {
        spec: { headers: { authorization: "Bearer secret" } },
        job: {
          task: { description: "do it", input_data: { n: [1, null, "x"] } },
          constraints: { timeout_seconds: 3600, allowed_tools: [] },
          context: { environment: { API_KEY: "k" } },
        },
      },
    );
    expect(told).toMatchObject({
      version: "1.0",
      task_id: TASK_ID,
      task: { description: "do it" },
      constraints: { timeout_seconds: 3600, allowed_tools: {} },
      context: { environment: { API_KEY: "k" } },
    });
    expect(fromStruct((told["task"] as PeerMessage)["input_data"])).toEqual({ n: [1, null, "x"] });
    expect(traceparent).toMatch(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-01$`));
    // What has passed since the attempt began is not granted again.
    expect(deadlineMs).toBeLessThanOrEqual(3_600_000 + 30_000);
    expect(deadlineMs).toBeGreaterThan(3_600_000);
    expect(reports).toEqual([
      {
        kind: "event",
        event: {
          type: "progress",
          payload: { message: "on it", percentage: 50 },
          origin: { sequence: 0, timestamp: "2025-01-21T10:30:45.123Z" },
        },
      },
      { kind: "artifact", artifact: { type: "file", path: "a.bin", content: Buffer.from([0, 255]) } },
      { kind: "end", end: { status: "completed", metrics: { total_tokens: 7 } } },
    ]);
    expect(end.status).toBe("completed");
  });

  it("has no response when it ends without one", async () => {
    const { end, types } = await driven({
      ExecuteStream(call) {
        call.write({ event: event(0) });
        call.end();
      },
    });
    expect(types).toEqual(["progress"]);
    expect(end).toMatchObject({ status: "failed", failure: { code: "NO_RESPONSE" } });
  });

  it("is not waited for long when it never ends the stream after its response", async () => {
    const { end } = await driven(
      { ExecuteStream: (call) => void call.write({ response: response() }) },
      { driver: { lingerMs: 50 } },
    );
    expect(end.status).toBe("completed");
  });

  it("keeps its response whatever status the call ends with, and that is a violation", async () => {
    const { end, rules } = await driven({
      ExecuteStream(call) {
        call.write({ response: response() });
        call.emit("error", { code: status.INTERNAL, details: "oops" });
      },
    });
    expect(end.status).toBe("completed");
    expect(rules).toEqual(["atp.grpc.status"]);
  });

  it("breaks rules with an empty message, or the id of another task", async () => {
    const { end, rules } = await driven({
      ExecuteStream(call) {
        call.write({});
        call.write({ event: { ...event(0), task_id: "550e8400-e29b-41d4-a716-446655440001" } });
        call.write({ event: { ...event(1), version: undefined } });
        call.write({ response: response() });
        call.end();
      },
    });
    expect(end.status).toBe("completed");
    expect(rules).toEqual(["atp.grpc.message", "atp.task_id", "atp.event"]);
  });

  it("holds back while it is not read", async () => {
    let blocked = false;
    let written = 0;
    const total = 3000;
    const peer = await serve({
      ExecuteStream(call) {
        const more = (): void => {
          while (written < total) {
            written += 1;
            if (!call.write({ event: event(written - 1, { text: "x".repeat(10_000) }) })) {
              blocked = true;
              call.once("drain", more);
              return;
            }
          }
          call.write({ response: response() });
          call.end();
        };
        more();
      },
    });
    const session = createGrpcDriver().open(jobFor(peer.url), never())[Symbol.asyncIterator]();
    await session.next();
    await until(() => blocked);
    expect(written).toBeLessThan(total);
    let events = 1;
    for (let next = await session.next(); next.done !== true; next = await session.next()) {
      if (next.value.kind === "event") events += 1;
    }
    expect(events).toBe(total);
  });
});

describe("a gRPC agent that does not stream", () => {
  it("is asked for its response alone", async () => {
    const { end, types } = await driven({ Execute: (_call, answer) => answer(null, response()) });
    expect(types).toEqual([]);
    expect(end).toEqual({ status: "completed", metrics: { total_tokens: 7 } });
  });

  it("fails the run when it has no Execute either", async () => {
    const { end } = await driven({});
    expect(end).toMatchObject({ status: "failed", failure: { code: "INVALID_RESPONSE" } });
    expect(end.failure?.message).toContain("UNIMPLEMENTED");
  });

  it("may fail the task, which is its response", async () => {
    const failed = {
      ...response(),
      status: "failed",
      error: "no",
      error_code: "TOOL_ERROR",
      error_details: toStruct({ a: 1 }),
    };
    const { end } = await driven({ Execute: (_call, answer) => answer(null, failed) });
    expect(end.failure).toEqual({ code: "TOOL_ERROR", message: "no", details: { a: 1 } });
  });
});

describe("cancelling a run over gRPC", () => {
  it("asks the agent, and takes the response that still comes", async () => {
    const cancel = new AbortController();
    let running: { write(message: object): unknown; end(): void } | undefined;
    const { end, types } = await driven(
      {
        ExecuteStream(call) {
          running = call;
          call.write({ event: event(0) });
        },
        Cancel(call, answer) {
          expect(call.request["task_id"]).toBe(TASK_ID);
          answer(null, {});
          running?.write({ event: event(1) });
          running?.write({ response: { ...response(), status: "cancelled" } });
          running?.end();
        },
      },
      { cancel: cancel.signal, onReport: () => cancel.abort() },
    );
    expect(types).toEqual(["progress", "progress"]);
    expect(end).toEqual({ status: "cancelled", metrics: { total_tokens: 7 } });
  });

  it("cancels the call where there is no such method", async () => {
    const cancel = new AbortController();
    let cancelled = (): void => undefined;
    const seen = new Promise<void>((resolve) => (cancelled = resolve));
    const { end } = await driven(
      {
        ExecuteStream(call) {
          call.on("cancelled", cancelled);
          call.write({ event: event(0) });
        },
      },
      { cancel: cancel.signal, onReport: () => cancel.abort() },
    );
    expect(end).toEqual({ status: "cancelled" });
    await seen;
  });

  it("cancels the call when the agent does not answer, and at once when it is killed", async () => {
    for (const how of ["cancel", "kill"] as const) {
      const stop = new AbortController();
      let cancelled = (): void => undefined;
      const seen = new Promise<void>((resolve) => (cancelled = resolve));
      const { end } = await driven(
        {
          ExecuteStream(call) {
            call.on("cancelled", cancelled);
            call.write({ event: event(0) });
          },
          Cancel: () => undefined,
        },
        { [how]: stop.signal, onReport: () => stop.abort(), driver: { cancelTimeoutMs: 50 } },
      );
      expect(end).toEqual({ status: "cancelled" });
      await seen;
    }
  });

  it("never calls an agent that is already to be stopped", async () => {
    let called = false;
    const { end } = await driven(
      { ExecuteStream: () => void (called = true) },
      { cancel: AbortSignal.abort() },
    );
    expect(end).toEqual({ status: "cancelled" });
    expect(called).toBe(false);
  });

  it("cancels the call when nobody reads any longer", async () => {
    let cancelled = (): void => undefined;
    const seen = new Promise<void>((resolve) => (cancelled = resolve));
    const peer = await serve({
      ExecuteStream(call) {
        call.on("cancelled", cancelled);
        call.write({ event: event(0) });
      },
    });
    for await (const _ of createGrpcDriver().open(jobFor(peer.url), never())) break;
    await seen;
  });
});

describe("a gRPC status instead of a response", () => {
  it.each([
    ["CANCELLED", "cancelled", undefined],
    ["UNKNOWN", "failed", "INTERNAL_ERROR"],
    ["INVALID_ARGUMENT", "failed", "INVALID_REQUEST"],
    ["DEADLINE_EXCEEDED", "timeout", "TIMEOUT"],
    ["NOT_FOUND", "failed", "INVALID_REQUEST"],
    ["ALREADY_EXISTS", "failed", "INVALID_REQUEST"],
    ["PERMISSION_DENIED", "failed", "INVALID_REQUEST"],
    ["RESOURCE_EXHAUSTED", "failed", "BUDGET_EXCEEDED"],
    ["FAILED_PRECONDITION", "failed", "INVALID_REQUEST"],
    ["ABORTED", "failed", "INTERNAL_ERROR"],
    ["OUT_OF_RANGE", "failed", "INVALID_REQUEST"],
    ["INTERNAL", "failed", "INTERNAL_ERROR"],
    ["UNAVAILABLE", "failed", "UNREACHABLE"],
    ["DATA_LOSS", "failed", "INTERNAL_ERROR"],
    ["UNAUTHENTICATED", "failed", "INVALID_REQUEST"],
  ] as const)("%s ends the run as %s", async (name, expected, code) => {
    const { end } = await driven({
      ExecuteStream: (call) => void call.emit("error", { code: status[name], details: "because" }),
    });
    expect(end.status).toBe(expected);
    expect(end.failure?.code).toBe(code);
    if (code !== undefined) expect(end.failure?.message).toContain("because");
  });

  it("keeps the events that came before it, and is a lost connection where it is UNAVAILABLE", async () => {
    const { end, types } = await driven({
      ExecuteStream(call) {
        call.write({ event: event(0) });
        call.emit("error", { code: status.UNAVAILABLE, details: "stopping" });
      },
    });
    expect(types).toEqual(["progress"]);
    expect(end.failure?.code).toBe("CONNECTION_LOST");
  });

  it("takes ATP's own code from the metadata", async () => {
    const { end } = await driven({
      ExecuteStream(call) {
        call.emit("error", {
          code: status.RESOURCE_EXHAUSTED,
          details: "too large",
          metadata: metadata({ "atp-error-code": "INVALID_REQUEST" }),
        });
      },
    });
    expect(end.failure).toMatchObject({
      code: "INVALID_REQUEST",
      details: { grpc_status: "RESOURCE_EXHAUSTED" },
    });
  });
});

describe("an agent that is not at grpc://host:port", () => {
  it.each(["grpcs://localhost:1", "http://localhost:1", "grpc://", ""])("is refused: %s", async (url) => {
    expect((await drive(url)).end.failure?.code).toBe("INVALID_REQUEST");
  });
});

describe("a task that gRPC cannot carry", () => {
  it("is refused", async () => {
    let deep: JsonObject = {};
    for (let depth = 0; depth < 1000; depth++) deep = { deep };
    const { end } = await driven({}, { job: { task: { description: "x", input_data: deep } } });
    expect(end.failure).toMatchObject({ code: "INVALID_REQUEST" });
  });
});

describe("headers that gRPC cannot carry", () => {
  it.each([{ "grpc-timeout": "1S" }, { "bad name": "x" }, { token: "ключ" }, { connection: "close" }])(
    "%o are refused",
    async (headers) => {
      const { end } = await driven({}, { spec: { headers } });
      expect(end.failure?.code).toBe("INVALID_REQUEST");
      expect(end.failure?.message).not.toContain("ключ");
    },
  );
});

async function serve(handlers: PeerHandlers): Promise<{ url: string }> {
  const peer = await servePeer(handlers);
  closers.push(peer.close);
  return peer;
}

async function driven(handlers: PeerHandlers, options?: DriveOptions): Promise<Driven> {
  return drive((await serve(handlers)).url, options);
}

function event(
  sequence: number,
  payload: Parameters<typeof toStruct>[0] = { message: "working" },
): PeerMessage {
  return { ...atpEvent(sequence), payload: toStruct(payload) };
}

function response(): PeerMessage {
  return {
    version: "1.0",
    task_id: TASK_ID,
    status: "completed",
    artifacts: [],
    metrics: { total_tokens: 7 },
  };
}

function file(path: string, bytes: Buffer): PeerMessage {
  return { type: "file", path, content_bytes: bytes };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
