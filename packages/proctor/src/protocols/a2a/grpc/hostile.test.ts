import type { ServerHttp2Stream } from "node:http2";
import { status } from "@grpc/grpc-js";
import { afterEach, describe, expect, it } from "vitest";
import { callOf, serveA2aGrpc, type GrpcStage } from "../../../../test/support/a2a/grpc-stage.ts";
import { createMemoryService } from "../../../../test/support/a2a/memory-service.ts";
import { answerWith, enveloped, rawCall, rawServer } from "../../../../test/support/a2a/raw-grpc.ts";
import { eventually } from "../../../../test/support/eventually.ts";
import type { JsonObject } from "../../../core/json.ts";
import { TransportFailure } from "../client/transport-failure.ts";
import type { WireProblem } from "../codec.ts";
import type { A2aError } from "../errors.ts";
import { createGrpcBinding, type GrpcBindingOptions } from "./client.ts";
import { encodeMessage } from "./encode.ts";
import { SendMessageRequestSchema, StreamResponseSchema, TaskSchema } from "./gen/lf/a2a/v1/a2a_pb.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const SEND = "/lf.a2a.v1.A2AService/SendMessage";
const request = { message: { messageId: "m", role: "ROLE_USER" as const, parts: [{ text: "hi" }] } };
const bytes = encodeMessage(SendMessageRequestSchema, request);
const task = { id: "t", status: { state: "TASK_STATE_WORKING" } };

describe("a client of A2A's gRPC that sends anything", () => {
  async function setUp(options: Parameters<typeof serveA2aGrpc>[1] = {}): Promise<GrpcStage> {
    const served = await serveA2aGrpc(createMemoryService(), options);
    closers.push(() => served.close(0));
    return served;
  }
  const codeOf = async (...args: Parameters<typeof rawCall>): Promise<number> =>
    Number((await rawCall(...args))["grpc-status"]);

  it("is served where it says more than we know", async () => {
    const { url } = await setUp();
    const later = Buffer.concat([bytes, Buffer.from([0xa2, 0x06, 1, 0x41, 0xa8, 0x06, 7])]);
    expect(await codeOf(url, SEND, enveloped(later))).toBe(status.OK);
  });

  it("is refused a message that is cut anywhere, and others are served", async () => {
    const { url, reported } = await setUp();
    for (let end = 0; end < bytes.length; end++) {
      expect([end, await codeOf(url, SEND, enveloped(bytes.subarray(0, end)))]).toEqual([
        end,
        status.INVALID_ARGUMENT,
      ]);
    }
    expect(await codeOf(url, SEND, enveloped(bytes))).toBe(status.OK);
    expect(reported).toEqual([]);
  });

  it("is refused what is inside of a message and none, in A2A's words", async () => {
    const { url } = await setUp();
    // Field 2, the message, holds a field of wire type 7.
    const trailers = await rawCall(url, SEND, enveloped(Buffer.from([0x12, 1, 0x0f])));
    expect(trailers).toMatchObject({
      "grpc-status": String(status.INVALID_ARGUMENT),
      "grpc-message": expect.stringMatching(/the request cannot be read/) as string,
    });
    const details = Buffer.from(String(trailers["grpc-status-details-bin"]), "base64").toString("latin1");
    expect(details).toContain("INVALID_REQUEST");
  });

  it("is refused metadata that is nested too deep", async () => {
    const { url } = await setUp();
    let value = Buffer.from([0x08, 0]);
    // ListValue in a Value, 2000 times.
    for (let depth = 0; depth < 2000; depth++) value = lengthed(0x32, lengthed(0x0a, value));
    const entry = Buffer.concat([Buffer.from([0x0a, 1, 0x61]), lengthed(0x12, value)]);
    const deep = Buffer.concat([bytes, lengthed(0x22, lengthed(0x0a, entry))]);
    expect(await codeOf(url, SEND, enveloped(deep))).toBe(status.INVALID_ARGUMENT);
  });

  it("is refused a message that is too large, or claims to be", async () => {
    const { url } = await setUp({ maxMessageBytes: 100_000 });
    const large = encodeMessage(SendMessageRequestSchema, {
      message: { ...request.message, parts: [{ text: "x".repeat(200_000) }] },
    });
    expect(await codeOf(url, SEND, enveloped(large))).toBe(status.RESOURCE_EXHAUSTED);
    expect(await codeOf(url, SEND, enveloped(bytes, 2 ** 31))).toBe(status.RESOURCE_EXHAUSTED);
    expect(await codeOf(url, SEND, enveloped(bytes))).toBe(status.OK);
  });

  it("is told that there is no such method or service", async () => {
    const { url } = await setUp();
    expect(await codeOf(url, "/lf.a2a.v1.A2AService/SendMoney", enveloped(bytes))).toBe(status.UNIMPLEMENTED);
    expect(await codeOf(url, "/lf.a2a.v9.A2AService/SendMessage", enveloped(bytes))).toBe(
      status.UNIMPLEMENTED,
    );
  });

  it("gets a status that fits into its trailers, however much is wrong", async () => {
    const { url } = await setUp();
    const parts = Array.from({ length: 2000 }, () => ({}));
    const wrong = encodeMessage(SendMessageRequestSchema, { message: { ...request.message, parts } });
    const trailers = await rawCall(url, SEND, enveloped(wrong));
    expect(trailers["grpc-status"]).toBe(String(status.INVALID_ARGUMENT));
    expect(JSON.stringify(trailers).length).toBeLessThan(8000);
    expect(String(trailers["grpc-status-details-bin"])).not.toBe("undefined");
  });
});

describe("an agent over A2A's gRPC that answers anything", () => {
  async function setUp(
    answer: (stream: ServerHttp2Stream) => void,
    options: Partial<GrpcBindingOptions> = {},
  ) {
    const { url, close } = await rawServer(answer);
    closers.push(close);
    return createGrpcBinding({ url, version: "1.0", ...options });
  }
  const getTask = async (
    answer: (stream: ServerHttp2Stream) => void,
    options: Partial<GrpcBindingOptions> = {},
  ) => (await setUp(answer, options)).getTask({ id: "t" }, callOf("1.0"));
  const answered = (json: JsonObject): Uint8Array => encodeMessage(TaskSchema, json);

  it("may say more than we know", async () => {
    const later = Buffer.concat([answered(task), Buffer.from([0xa2, 0x06, 1, 0x41])]);
    expect(await getTask(answerWith(enveloped(later)))).toEqual(task);
    const problems: WireProblem[] = [];
    const unknown = answerWith(enveloped(answered({ id: "t", status: { state: "99" } })));
    expect(await getTask(unknown, { onProblem: (problem) => problems.push(problem) })).toMatchObject({
      status: { state: "99" },
    });
    expect(problems.map(({ path }) => path)).toEqual(["result.status.state"]);
  });

  it("fails the call when its answer cannot be read", async () => {
    const whole = answered(task);
    const cut = whole.subarray(0, whole.length - 1);
    const invalid = { reason: "INVALID_AGENT_RESPONSE" };
    await expect(getTask(answerWith(enveloped(cut)))).rejects.toMatchObject(invalid);
    await expect(getTask(answerWith(enveloped(Buffer.from([0x1a, 1, 0x0f]))))).rejects.toMatchObject(invalid);
    // A task without id and status.
    await expect(getTask(answerWith(enveloped(Buffer.alloc(0))))).rejects.toMatchObject(invalid);
    // No message, and two of them.
    await expect(getTask(answerWith(Buffer.alloc(0)))).rejects.toMatchObject(invalid);
    await expect(
      getTask(answerWith(Buffer.concat([enveloped(whole), enveloped(whole)]))),
    ).rejects.toMatchObject(invalid);
  });

  it("fails the call when its answer is too large", async () => {
    const large = enveloped(answered({ ...task, metadata: { text: "x".repeat(50_000) } }));
    await expect(getTask(answerWith(large), { maxMessageBytes: 10_000 })).rejects.toMatchObject({
      reason: "INVALID_AGENT_RESPONSE",
    });
    await expect(getTask(answerWith(enveloped(Buffer.alloc(10), 2 ** 31)))).rejects.toMatchObject({
      name: "A2aError",
    });
  });

  it("fails the call when it does not speak gRPC", async () => {
    const failures = await Promise.all(
      [
        (stream: ServerHttp2Stream) => stream.respond({ ":status": 502 }, { endStream: true }),
        (stream: ServerHttp2Stream) => {
          stream.respond({ ":status": 200, "content-type": "text/html" });
          stream.end("<html>");
        },
        (stream: ServerHttp2Stream) => stream.close(2),
        answerWith(enveloped(answered(task)), { "grpc-status": "abc" }),
      ].map((answer) =>
        getTask(answer).then(
          () => undefined,
          (error: unknown) => error as A2aError,
        ),
      ),
    );
    expect(failures.map((error) => error?.name)).toEqual(["A2aError", "A2aError", "A2aError", "A2aError"]);
    const codes = failures
      .slice(0, 3)
      .map((error) => error?.cause instanceof TransportFailure && error.cause.failure.code);
    expect(codes).toEqual(["HTTP_ERROR", "WRONG_CONTENT_TYPE", "CONNECTION_LOST"]);
  });

  it("fails a stream that breaks off, and keeps what had come", async () => {
    const frame = enveloped(encodeMessage(StreamResponseSchema, { task }));
    const client = await setUp((stream) => {
      stream.respond({ ":status": 200, "content-type": "application/grpc" });
      stream.write(Buffer.concat([frame, frame.subarray(0, 7)]), () => stream.close(8));
    });
    const heard: unknown[] = [];
    const all = (async () => {
      for await (const { event } of await client.stream(request, callOf("1.0"))) heard.push(event);
    })();
    await expect(all).rejects.toMatchObject({ name: "A2aError" });
    expect(heard).toEqual([{ task }]);
  });

  it("may send frames that hold nothing, which fail the stream", async () => {
    const client = await setUp(answerWith(enveloped(Buffer.alloc(0))));
    const all = (async () => {
      for await (const frame of await client.stream(request, callOf("1.0"))) void frame;
    })();
    await expect(all).rejects.toMatchObject({ reason: "INVALID_AGENT_RESPONSE" });
  });

  it("is left when it never answers", async () => {
    const asked: ServerHttp2Stream[] = [];
    const client = await setUp((stream) => asked.push(stream));
    for (const ask of [
      (signal: AbortSignal) => client.getTask({ id: "t" }, callOf("1.0", { signal })),
      (signal: AbortSignal) => client.stream(request, callOf("1.0", { signal })),
    ]) {
      const leaving = new AbortController();
      const before = asked.length;
      const answer = ask(leaving.signal);
      await eventually(() => expect(asked.length).toBe(before + 1));
      leaving.abort();
      await expect(answer).rejects.toMatchObject({ reason: "UNAVAILABLE" });
      await eventually(() => expect(asked.at(-1)?.closed).toBe(true));
    }
  });

  it("is told apart from one that is not there", async () => {
    const { url, close } = await rawServer(() => undefined);
    close();
    const error = await createGrpcBinding({ url, version: "1.0" })
      .getTask({ id: "t" }, callOf("1.0"))
      .then(
        () => undefined,
        (problem: unknown) => problem as A2aError,
      );
    expect(error?.reason).toBe("UNAVAILABLE");
    expect(error?.cause).toMatchObject({ failure: { code: "UNREACHABLE" } });
  });

  it("is not asked what cannot be sent", async () => {
    let asked = 0;
    const count = (): number => ++asked;
    let deep: JsonObject = {};
    for (let depth = 0; depth < 1000; depth++) deep = { deep };
    const client = await setUp(count);
    await expect(client.send({ ...request, metadata: deep }, callOf("1.0"))).rejects.toMatchObject({
      reason: "INVALID_PARAMS",
    });
    for (const metadata of [{ "grpc-timeout": "1S" }, { "a b": "c" }, { key: "line\nbreak" }]) {
      const other = await setUp(count, { metadata });
      const refused = other.getTask({ id: "t" }, callOf("1.0"));
      await expect(refused).rejects.toThrow(/cannot be sent over gRPC/);
      await expect(refused).rejects.not.toThrow(/line/);
    }
    expect(asked).toBe(0);
  });
});

/** A field of a message around these bytes. */
function lengthed(tag: number, content: Buffer): Buffer<ArrayBuffer> {
  const size: number[] = [];
  for (let rest = content.length; ; rest = Math.floor(rest / 128)) {
    size.push(rest >= 128 ? (rest % 128) | 128 : rest);
    if (rest < 128) break;
  }
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
