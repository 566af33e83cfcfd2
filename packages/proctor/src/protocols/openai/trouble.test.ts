import { describe, expect, it } from "vitest";
import {
  chunk,
  completion,
  frame,
  frames,
  json,
  refuses,
  says,
  serveModel,
  STREAM_HEAD,
  usageChunk,
  type Reply,
} from "../../../test/support/openai/scripted-model.ts";
import { driveModel, KEY } from "../../../test/support/openai/drive-model.ts";
import { createManualClock } from "../../../test/support/manual-clock.ts";
import { drained, serveHttps } from "../../../test/support/http/servers.ts";
import { MAX_ANSWER_CHARS } from "./answer.ts";

/** Drives a model whose pauses are over as soon as they begin, and tells how long they were. */
async function driveHurried(base: string) {
  const clock = createManualClock();
  const waits: number[] = [];
  const hurried = {
    ...clock,
    after(delayMs: number, callback: () => void) {
      waits.push(delayMs);
      setImmediate(callback);
      return () => undefined;
    },
  };
  return { ...(await driveModel(base, { clock: hurried })), waits };
}

describe("a chat model that refuses the request", () => {
  it.each([401, 403])("with %i is HTTP_ERROR, in the server's words but for the key", async (status) => {
    const message = `Incorrect API key provided: sk-test-*****GHIJ (${KEY}, ${KEY.slice(0, 9)}...GHIJ). See the docs.`;
    const server = await serveModel(refuses(status, { message, code: "invalid_api_key" }));
    const { end, errors, logs, reports } = await driveModel(server.base);
    expect(end).toMatchObject({ status: "failed", failure: { code: "HTTP_ERROR", details: { status } } });
    expect(end.failure?.message).toMatch(
      /Incorrect API key provided: \*\*\* \(\*\*\*, \*\*\*\). See the docs\.$/,
    );
    expect(JSON.stringify(reports)).not.toMatch(/GHIJ|sk-test/);
    expect([errors, logs, server.asked.length]).toEqual([[], [], 1]);
  });

  it("with an error of another form keeps what it said", async () => {
    for (const body of [
      { error: "no such model" },
      { message: "no such model" },
      { detail: "no such model" },
    ]) {
      const server = await serveModel(json(body, 404));
      expect((await driveModel(server.base)).end.failure).toMatchObject({
        code: "HTTP_ERROR",
        message: "the agent answered /chat/completions with 404 Not Found: no such model",
      });
    }
    const server = await serveModel((response) => void response.writeHead(404).end("<h1>nothing</h1>"));
    expect((await driveModel(server.base)).logs).toEqual(["<h1>nothing</h1>"]);
  });

  it("with a redirect is not followed", async () => {
    const other = await serveModel(says("Hi."));
    const server = await serveModel(
      (response) => void response.writeHead(307, { location: `${other.base}/chat/completions` }).end(),
    );
    expect((await driveModel(server.base)).end.failure).toMatchObject({
      code: "REDIRECTED",
      details: { location: other.url },
    });
    expect(other.asked).toEqual([]);
  });

  it("whose error never ends is not waited for", async () => {
    const server = await serveModel((response) => {
      response.writeHead(400, { "content-type": "application/json" }).write('{"error":');
    });
    expect((await driveModel(server.base)).end.failure?.code).toBe("HTTP_ERROR");
  });
});

describe("a chat model that is overloaded", () => {
  it("is asked again after the time that it names", async () => {
    const server = await serveModel(
      refuses(429, { message: "slow down" }, { "retry-after": "7" }),
      refuses(503, {}, { "retry-after-ms": "1500", "retry-after": "9" }),
      says("Hi."),
    );
    const { end, errors, waits, result, requests } = await driveHurried(server.base);
    expect([end.status, result, waits]).toEqual(["completed", { output: "Hi." }, [7000, 1500]]);
    expect(errors).toMatchObject([
      {
        error_type: "LLM_ERROR",
        recoverable: true,
        retry_after_ms: 7000,
        message: expect.stringContaining("slow down") as string,
      },
      { retry_after_ms: 1500 },
    ]);
    expect(requests).toHaveLength(1);
    expect(server.asked.map(({ body }) => body)).toEqual(
      Array.from({ length: 3 }, () => server.asked[0]?.body),
    );
  });

  it("is asked four times, each time later, and then the run fails with LLM_ERROR", async () => {
    const server = await serveModel(refuses(500, { message: "boom" }));
    const { end, waits } = await driveHurried(server.base);
    expect(waits).toEqual([500, 1000, 2000]);
    expect(server.asked).toHaveLength(4);
    expect(end).toMatchObject({
      status: "failed",
      failure: {
        code: "LLM_ERROR",
        message: expect.stringContaining("boom") as string,
        details: { status: 500 },
      },
    });
  });

  it.each([
    ["asks for an hour", refuses(429, {}, { "retry-after": "3600" }), { retry_after_seconds: 3600 }],
    ["says that the quota is spent", refuses(429, { code: "insufficient_quota" }), { status: 429 }],
  ])("is not asked again when it %s", async (_what, reply, details) => {
    const server = await serveModel(reply);
    const { end, waits } = await driveHurried(server.base);
    expect([server.asked.length, waits]).toEqual([1, []]);
    expect(end.failure).toMatchObject({ code: "LLM_ERROR", details });
  });

  it("is not waited for when the run is cancelled", async () => {
    const clock = createManualClock();
    const stop = new AbortController();
    const server = await serveModel(refuses(429, {}, { "retry-after": "30" }));
    const { end } = await driveModel(server.base, {
      clock,
      cancel: stop.signal,
      onReport(report) {
        if (report.kind === "event" && report.event.type === "error") setImmediate(() => stop.abort());
      },
    });
    expect([end, clock.waiting, server.asked.length]).toEqual([{ status: "cancelled" }, 0, 1]);
  });
});

describe("a chat model's stream that is broken", () => {
  it("by a cut connection is CONNECTION_LOST, with the text that had come", async () => {
    const server = await serveModel((response) => {
      response.writeHead(200, STREAM_HEAD);
      response.write(frame(chunk({ content: "Once" })), () => response.destroy());
    });
    const { end, said, result, requests } = await driveModel(server.base);
    expect(end).toMatchObject({ status: "failed", failure: { code: "CONNECTION_LOST" } });
    expect([said, result]).toEqual([[["Once", ""]], undefined]);
    expect(requests).toMatchObject([{ error: expect.stringContaining("broke off") as string }]);
  });

  it("by an early end is NO_RESPONSE", async () => {
    const server = await serveModel(frames(chunk({ content: "Once" })));
    const { end, said } = await driveModel(server.base);
    expect([end.failure?.code, said]).toEqual(["NO_RESPONSE", [["Once", ""]]]);
  });

  it.each([
    [
      "in the stream",
      frames(chunk({ content: "Once" }), { error: { message: `key ${KEY} died`, code: "x" } }),
    ],
    ["in the place of the answer", json({ error: { message: `key ${KEY} died` } })],
  ])("by an error %s is LLM_ERROR, without keys", async (_where, reply) => {
    const server = await serveModel(reply);
    expect((await driveModel(server.base)).end).toEqual({
      status: "failed",
      failure: { code: "LLM_ERROR", message: "the model reports an error: key *** died" },
    });
  });

  it.each<[string, Reply, string[]]>([
    ["garbage", frames("{ this is no", chunk({ content: "Hi" }, "stop"), "[DONE]"), ["openai.json"]],
    [
      "too deep nesting",
      frames("[".repeat(5000), chunk({ content: "Hi" }, "stop"), "[DONE]"),
      ["openai.json"],
    ],
    [
      "wrong types",
      frames(chunk({ content: 7 }), { choices: {} }, chunk({ content: "Hi" }, "stop"), "[DONE]"),
      ["openai.chunk", "openai.chunk"],
    ],
    [
      "impossible usage",
      frames(chunk({ content: "Hi" }, "stop"), usageChunk({ prompt_tokens: -1 }), "[DONE]"),
      ["openai.usage"],
    ],
    ["no [DONE]", frames(chunk({ content: "Hi" }, "stop")), ["openai.done"]],
    ["no finish_reason", frames(chunk({ content: "Hi" }), "[DONE]"), ["openai.finish_reason"]],
    [
      "bytes that are no text",
      (response) =>
        void response
          .writeHead(200, STREAM_HEAD)
          .end(
            Buffer.concat([
              Buffer.from([0x3a, 0xff, 0xfe, 10]),
              Buffer.from(frame(chunk({ content: "Hi" }, "stop")) + frame("[DONE]")),
            ]),
          ),
      ["line.encoding"],
    ],
  ])("by %s is taken, and the departure recorded", async (_what, reply, expected) => {
    const server = await serveModel(reply);
    const { end, result, rules } = await driveModel(server.base);
    expect([end.status, result, rules]).toEqual(["completed", { output: "Hi" }, expected]);
  });

  it("into pieces anywhere is put together", async () => {
    const text = [chunk({ content: "Grüße ☃" }), chunk({ content: "!" }, "stop"), usageChunk(), "[DONE]"]
      .map(frame)
      .join("");
    const bytes = Buffer.from(text);
    const server = await serveModel(async (response) => {
      response.writeHead(200, STREAM_HEAD);
      for (let at = 0; at < bytes.length; at += 7) {
        await new Promise<void>(
          (resolve) => void response.write(bytes.subarray(at, at + 7), () => resolve()),
        );
      }
      response.end();
    });
    const { result, rules } = await driveModel(server.base);
    expect([result, rules]).toEqual([{ output: "Grüße ☃!" }, []]);
  });

  it.each<[string, Reply, string]>([
    ["an empty document", json(""), "NO_RESPONSE"],
    ["garbage", json("{"), "INVALID_RESPONSE"],
    ["a document without a choice", json({ ...completion({}), choices: [] }), "INVALID_RESPONSE"],
    ["an empty stream", frames("[DONE]"), "INVALID_RESPONSE"],
    [
      "a page",
      (response) => void response.writeHead(200, { "content-type": "text/html" }).end("<h1>"),
      "WRONG_CONTENT_TYPE",
    ],
    ["something compressed", json({}, 200, { "content-encoding": "gzip" }), "WRONG_CONTENT_TYPE"],
    ["nothing", (response) => void response.writeHead(204).end(), "NO_RESPONSE"],
  ])("from the start, with %s, fails", async (_what, reply, code) => {
    const server = await serveModel(reply);
    expect((await driveModel(server.base)).end).toMatchObject({ status: "failed", failure: { code } });
  });

  it("before it begins is UNREACHABLE, or refused by TLS", async () => {
    expect((await driveModel("http://127.0.0.1:1/v1")).end.failure?.code).toBe("UNREACHABLE");
    const server = await serveHttps(() => undefined);
    expect((await driveModel(`${server.url}/v1`)).end.failure?.code).toBe("TLS_FAILED");
  });
});

describe("a chat model that sends too much", () => {
  /** Writes the pieces for as long as anybody listens, one in each turn of the loop at most. */
  const floods =
    (first: string, piece: string, onPiece: (number: number) => void = () => undefined): Reply =>
    async (response) => {
      let wake = (): void => undefined;
      response.on("drain", () => wake()).on("close", () => wake());
      response.writeHead(200, STREAM_HEAD).write(first);
      for (let number = 1; !response.destroyed; number++) {
        onPiece(number);
        const isFull = !response.write(piece);
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (!isFull) setImmediate(resolve);
        });
      }
    };

  it("in one line ends the run as soon as the line is too long", async () => {
    const server = await serveModel(
      floods(frame(chunk({ content: "Once" })) + 'data: {"x":"', "x".repeat(1 << 20)),
    );
    const { end, rules, said } = await driveModel(server.base);
    expect([end.failure?.code, rules, said]).toEqual(["INVALID_RESPONSE", ["line.too_long"], [["Once", ""]]]);
    await drained(server);
  });

  it("in a stream without end ends the run at the limit of an answer", async () => {
    const piece = frame(chunk({ content: "x".repeat(1 << 20) }));
    const server = await serveModel(floods("", piece));
    let chars = 0;
    const { end } = await driveModel(server.base, {
      onReport(report) {
        if (report.kind === "text") chars += report.text.length;
      },
    });
    expect(end.failure).toMatchObject({
      code: "INVALID_RESPONSE",
      message: `the model's answer is larger than ${MAX_ANSWER_CHARS} characters`,
    });
    expect(chars).toBe(MAX_ANSWER_CHARS);
    await drained(server);
  });

  it("in arguments of a call ends the run as well", async () => {
    const piece = frame(
      chunk({ tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: "x".repeat(1 << 20) } }] }),
    );
    const server = await serveModel(floods("", piece));
    expect((await driveModel(server.base)).end.failure?.code).toBe("INVALID_RESPONSE");
    await drained(server);
  });

  it("in comments that keep the connection open goes on until the run is stopped", async () => {
    const stop = new AbortController();
    const server = await serveModel(
      floods(frame(chunk({ content: "Once" })), ": waiting\n\n", (number) => {
        if (number === 1000) stop.abort();
      }),
    );
    const { end, said } = await driveModel(server.base, { cancel: stop.signal });
    expect([end, said]).toEqual([{ status: "cancelled" }, [["Once", ""]]]);
    await drained(server);
  });

  it("in a document that says so is not read", async () => {
    const server = await serveModel((response) => {
      response
        .writeHead(200, { "content-type": "application/json", "content-length": "99999999999" })
        .write("{");
    });
    expect((await driveModel(server.base)).end.failure?.message).toContain("larger than 67108864 bytes");
  });
});
