import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import type { ModelCall } from "../core/ports/model-host.ts";
import { createManualClock } from "../../test/support/manual-clock.ts";
import {
  beginStream,
  chunk,
  gate,
  HELLO,
  post,
  RUN_KEY,
  sendStream,
  sse,
  startBoth,
  USAGE_CHUNK,
  type Asked,
} from "../../test/support/llm/model-host-harness.ts";

const STREAM = { ...HELLO, stream: true };
const text = (content: string): ReturnType<typeof chunk> => chunk({ content });

/** What has arrived so far, and what comes next. */
async function openStream({ url }: { url: string }, signal?: AbortSignal) {
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${RUN_KEY}` },
    body: JSON.stringify(STREAM),
    ...(signal && { signal }),
  });
  const reader = (response.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let seen = "";
  return {
    response,
    reader,
    seen: () => seen,
    async until(wanted: string): Promise<void> {
      while (!seen.includes(wanted)) {
        const { done, value } = await reader.read();
        if (done) throw new Error(`ended after ${seen}`);
        seen += value;
      }
    },
    async rest(): Promise<string> {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return seen;
        seen += value;
      }
    },
  };
}

const errorIn = (stream: string): { message: string; code: string | null } => {
  const [, json = "{}"] = /data: (\{"error".*\})\n\n$/.exec(stream) ?? [];
  return (JSON.parse(json) as { error: { message: string; code: string | null } }).error;
};

describe("a streamed answer", () => {
  test("arrives piece by piece, as the model sends it", async () => {
    const next = gate();
    const { endpoint } = await startBoth(async (outgoing) => {
      beginStream(outgoing, text("one"));
      await next.opened;
      outgoing.end([text("two"), chunk({}, "stop"), USAGE_CHUNK, "[DONE]"].map(sse).join(""));
    });
    const stream = await openStream(endpoint);
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    await stream.until("one");
    next.open();
    expect(await stream.rest()).toMatch(/one.*two.*"stop".*\[DONE\]\n\n$/s);
  });

  test("does not end before the call is recorded", async () => {
    const recorded = gate();
    const asked = gate<ModelCall>();
    const { endpoint } = await startBoth(
      sendStream,
      {},
      {
        async onCall(call) {
          asked.open(call);
          await recorded.opened;
        },
      },
    );
    const stream = await openStream(endpoint);
    await stream.until("lo");
    expect(await asked.opened).toMatchObject({ output_tokens: 50, stop_reason: "stop" });
    const rest = stream.rest();
    const first = await Promise.race([
      rest,
      new Promise<string>((resolve) => setImmediate(() => resolve(""))),
    ]);
    expect([first, stream.seen()]).toEqual(["", expect.not.stringMatching(/stop|DONE/) as string]);
    recorded.open();
    expect(await rest).toMatch(/"stop".*\[DONE\]/s);
  });

  test("that cannot be recorded has no end", async () => {
    const { endpoint } = await startBoth(
      sendStream,
      {},
      { onCall: () => Promise.reject(new Error("disk full")) },
    );
    const { text: streamed } = await post(endpoint, STREAM);
    expect(errorIn(streamed).message).toBe("the call could not be recorded");
    expect(streamed).not.toMatch(/DONE|disk full|"stop"/);
  });

  test("goes on after the end of one choice of several", async () => {
    const next = gate();
    const { endpoint, calls } = await startBoth(async (outgoing) => {
      beginStream(outgoing, text("a"), chunk({}, "length"), chunk({ content: "b" }, null, 1));
      await next.opened;
      outgoing.end([chunk({}, "stop", 1), USAGE_CHUNK, "[DONE]"].map(sse).join(""));
    });
    const stream = await openStream(endpoint);
    await stream.until('"b"');
    expect(stream.seen()).toContain("length");
    next.open();
    expect(await stream.rest()).toContain("[DONE]");
    expect(calls).toHaveLength(1);
  });

  test("is understood with other line ends, comments, fields, and without its last line", async () => {
    const { endpoint, calls } = await startBoth((outgoing) => {
      outgoing.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
      outgoing.write(": waiting\r\n\r\n");
      outgoing.write(`id: 7\r\ndata:${JSON.stringify(text("größe"))}\r\n\r\n`);
      outgoing.end(`data: ${JSON.stringify(chunk({}, "stop"))}\r\n`);
    });
    const { text: streamed } = await post(endpoint, STREAM);
    expect(streamed).toMatch(/^: waiting\n\nid: 7\ndata: \{.*größe.*\}\n\ndata: .*"stop".*\n\n$/);
    expect(calls).toMatchObject([{ status: 200, stop_reason: "stop" }]);
    expect(calls[0]).not.toHaveProperty("error");
  });

  test("holds the model back when the agent does not read", async () => {
    let sent = 0;
    const full = gate();
    const { endpoint, model, calls } = await startBoth(
      async (outgoing) => {
        beginStream(outgoing);
        const piece = sse(text("x".repeat(64 * 1024)));
        while (!outgoing.destroyed && sent < 100_000) {
          sent++;
          if (outgoing.write(piece)) continue;
          const drained = await Promise.race([
            once(outgoing, "drain").then(() => true),
            new Promise((resolve) => setTimeout(resolve, 500, false)),
          ]);
          if (drained === false) break;
        }
        full.open();
      },
      { limits: { answerBytes: 1e12 } },
    );
    const { hostname, port, pathname } = new URL(`${endpoint.url}/chat/completions`);
    const socket = connect(Number(port), hostname);
    socket.pause();
    const body = JSON.stringify(STREAM);
    socket.write(
      `POST ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${RUN_KEY}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await full.opened;
    // Sockets buffer some megabytes; the hub adds next to nothing.
    expect(sent * 64).toBeLessThan(64 * 1024);
    // Who reads nothing does not keep the end of the run from being recorded.
    await endpoint.close();
    expect(calls).toMatchObject([{ status: 200, error: "the run has ended" }]);
    socket.destroy();
    await model.left;
  });

  test("that the agent leaves is left by the hub, and recorded with what was seen", async () => {
    const { endpoint, model, calls } = await startBoth((outgoing) => beginStream(outgoing, text("one")));
    const leave = new AbortController();
    const stream = await openStream(endpoint, leave.signal);
    await stream.until("one");
    leave.abort();
    await model.left;
    await expect.poll(() => calls.length).toBe(1);
    expect(calls).toMatchObject([
      { status: 200, stream: true, error: "the agent left before the end of the answer" },
    ]);
  });

  test("is charged, also when the agent leaves before its first word", async () => {
    const { endpoint, calls } = await startBoth(
      (outgoing) => beginStream(outgoing),
      {},
      { budgetUsd: 0.001 },
    );
    const leave = new AbortController();
    await openStream(endpoint, leave.signal);
    leave.abort();
    await expect.poll(() => calls.length).toBe(1);
    expect(calls[0]?.["estimated_cost_usd"]).toBeGreaterThan(0);
    expect((await post(endpoint, STREAM)).status).toBe(402);
  });

  test("that takes too long is cut, also when the agent does not read", async () => {
    const clock = createManualClock();
    const { endpoint, model, calls } = await startBoth((outgoing) => beginStream(outgoing, text("one")), {
      limits: { answerMs: 100 },
      clock,
    });
    const stream = await openStream(endpoint);
    clock.advance(100);
    await model.left;
    await expect.poll(() => calls.length).toBe(1);
    expect(calls[0]?.error).toBe("the hub's model gave no whole answer within 0.1 s");
    expect(errorIn(await stream.rest())).toMatchObject({ code: "timeout" });
  });

  test("is cut when the run ends", async () => {
    const { endpoint, model, calls } = await startBoth((outgoing) => beginStream(outgoing, text("one")));
    const stream = await openStream(endpoint);
    await stream.until("one");
    await endpoint.close();
    expect(calls).toMatchObject([{ status: 200, error: "the run has ended" }]);
    expect(errorIn(await stream.rest())).toMatchObject({ code: "run_ended" });
    await model.left;
  });
});

describe("a stream that breaks is recorded with its error, and the agent is told", () => {
  const broken: [string, (outgoing: Parameters<typeof beginStream>[0], asked: Asked) => void, RegExp][] = [
    ["cut off", (outgoing) => outgoing.write("", () => outgoing.destroy()), /broke the connection off/],
    ["ended early", (outgoing) => outgoing.end(), /ended its answer before its end/],
    ["cut in the middle of an event", (outgoing) => outgoing.end('data: {"choi'), /no event of a chat/],
    ["garbage", (outgoing) => outgoing.end("data: <html>\n\n"), /no event of a chat/],
    ["too deep", (outgoing) => outgoing.end(sse(`{"a":${"[".repeat(500)}`)), /no event of a chat/],
    ["an endless event", (outgoing) => outgoing.end(`data: ${"x".repeat(5000)}`), /larger than/],
    ["an endless stream", (outgoing) => outgoing.end(sse(text("x")).repeat(1000)), /larger than/],
    ["an endless end", (outgoing) => outgoing.end(sse({ choices: [] }).repeat(200)), /larger than/],
    [
      "an error of the model",
      (outgoing) => outgoing.end(sse({ error: { message: "overloaded" } })),
      /overloaded/,
    ],
  ];

  test.each(broken)("%s", async (_, play, message) => {
    const limits = { eventChars: 2000, answerBytes: 20_000 };
    const { endpoint, calls } = await startBoth(
      (outgoing, asked) => {
        beginStream(outgoing, text("one"));
        play(outgoing, asked);
      },
      { limits },
    );
    const { status, text: streamed } = await post(endpoint, STREAM);
    expect(status).toBe(200);
    expect(streamed).toContain("one");
    expect(errorIn(streamed).message).toMatch(message);
    expect(streamed).not.toContain("[DONE]");
    expect(calls).toMatchObject([
      { status: 200, stream: true, error: expect.stringMatching(message) as string },
    ]);
  });
});
