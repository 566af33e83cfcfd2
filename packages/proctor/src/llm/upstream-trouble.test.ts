import { createServer } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createManualClock } from "../../test/support/manual-clock.ts";
import {
  beginStream,
  chunk,
  completion,
  errorOf,
  HELLO,
  HUB_KEY,
  post,
  sendJson,
  startBoth,
  startHub,
  startModel,
  USAGE_CHUNK,
  type Play,
} from "../../test/support/llm/model-host-harness.ts";

const error = (message: string) => ({ error: { message, type: "x", code: "y" } });

describe("errors of the model are passed on", () => {
  test.each([400, 402, 404, 409, 422, 429, 500, 503, 529])("with the status %i", async (status) => {
    const { endpoint, calls } = await startBoth((outgoing) => sendJson(outgoing, error("no luck"), status));
    const answered = await post(endpoint);
    expect(answered.status).toBe(status);
    expect(JSON.parse(answered.text)).toEqual(error("no luck"));
    expect(calls).toMatchObject([{ status, error: "no luck" }]);
  });

  test("with what they say about trying again, and no other header", async () => {
    const headers = {
      "retry-after": "7",
      "retry-after-ms": "6500",
      "x-ratelimit-remaining-tokens": "0",
      "x-request-id": `req-${HUB_KEY}`,
      "set-cookie": "a=b",
      "x-internal": "host-7",
    };
    const { endpoint } = await startBoth((outgoing) => sendJson(outgoing, error("slow"), 429, headers));
    const answered = await post(endpoint, { ...HELLO, stream: true });
    expect(answered.status).toBe(429);
    expect(answered.headers.get("retry-after")).toBe("7");
    expect(answered.headers.get("retry-after-ms")).toBe("6500");
    expect(answered.headers.get("x-ratelimit-remaining-tokens")).toBe("0");
    expect(answered.headers.get("x-request-id")).toBe("req-[redacted:key]");
    expect(answered.headers.get("x-internal") ?? answered.headers.get("set-cookie")).toBeNull();
  });

  test.each([401, 403])("with the status %i, but not what they say about the hub's key", async (status) => {
    const masked = `Incorrect API key provided: ${HUB_KEY.slice(0, 6)}****${HUB_KEY.slice(-4)}`;
    const { endpoint, calls } = await startBoth((outgoing) => sendJson(outgoing, error(masked), status));
    const answered = await post(endpoint);
    expect(answered.status).toBe(status);
    expect(errorOf(answered)).toMatchObject({
      code: "upstream_unauthorized",
      message: expect.stringContaining("the hub's own key") as string,
    });
    expect(answered.text + JSON.stringify(calls)).not.toMatch(/sk-hub|cdef/);
  });

  test("in OpenAI's form, also when the model has another", async () => {
    const { endpoint } = await startBoth((outgoing) => {
      outgoing.writeHead(502, { "content-type": "text/html" });
      outgoing.end("<h1>Bad gateway</h1>");
    });
    const answered = await post(endpoint);
    expect([answered.status, errorOf(answered)]).toMatchObject([502, { code: "upstream_error" }]);
  });
});

const wrong: [string, Play, number, string][] = [
  ["text", (outgoing) => void outgoing.end("hello"), 502, "upstream_invalid"],
  ["a list", (outgoing) => sendJson(outgoing, [1]), 502, "upstream_invalid"],
  ["nothing", (outgoing) => void outgoing.end(), 502, "upstream_invalid"],
  ["no UTF-8", (outgoing) => void outgoing.end(Buffer.from([0x7b, 0xff, 0x7d])), 502, "upstream_invalid"],
  ["JSON without end", (outgoing) => void outgoing.end('{"choices": ['), 502, "upstream_invalid"],
  [
    "too deep",
    (outgoing) => void outgoing.end(`{"a":${"[".repeat(500)}${"]".repeat(500)}}`),
    502,
    "upstream_invalid",
  ],
  ["too large", (outgoing) => sendJson(outgoing, completion("x".repeat(200_000))), 502, "upstream_too_large"],
  [
    "too large behind a compression",
    (outgoing) => {
      outgoing.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      outgoing.end(gzipSync(JSON.stringify(completion("x".repeat(1_000_000)))));
    },
    502,
    "upstream_too_large",
  ],
  ["cut off", (outgoing) => cutOff(outgoing), 502, "upstream_broken"],
  ["hung up", (outgoing) => void outgoing.destroy(), 502, "upstream_broken"],
  [
    "a stream that nobody asked for",
    (outgoing) => {
      beginStream(outgoing, chunk({ content: "x" }), chunk({}, "stop"));
      outgoing.end("data: [DONE]\n\n");
    },
    502,
    "upstream_invalid",
  ],
  ["a redirect", (outgoing) => redirect(outgoing, 302), 502, "upstream_redirect"],
  ["a redirect that keeps the method", (outgoing) => redirect(outgoing, 307), 502, "upstream_redirect"],
];

describe("a model that misbehaves is an error for the agent, and recorded:", () => {
  test.each(wrong)("%s", async (_, play, status, code) => {
    const { endpoint, calls, model } = await startBoth(play, {
      limits: { answerBytes: 100_000 },
    });
    const answered = await post(endpoint);
    expect([answered.status, errorOf(answered).code]).toEqual([status, code]);
    expect(calls).toMatchObject([{ status, error: errorOf(answered).message }]);
    // No redirect was followed, nothing was tried twice.
    expect(model.asked).toHaveLength(1);
  });

  test.each<[string, Play]>([
    ["silent", () => {}],
    [
      "silent after a word",
      (outgoing) => {
        outgoing.writeHead(200, { "content-type": "application/json" });
        outgoing.write("{");
      },
    ],
  ])("%s until the time is over", async (_, play) => {
    const clock = createManualClock();
    const { endpoint, calls, model } = await startBoth(play, { limits: { answerMs: 100 }, clock });
    const answering = post(endpoint);
    await expect.poll(() => model.asked.length).toBe(1);
    clock.advance(100);
    const answered = await answering;
    expect([answered.status, errorOf(answered).code]).toEqual([504, "timeout"]);
    expect(calls).toMatchObject([{ status: 504, estimated_cost_usd: expect.any(Number) as number }]);
    await model.left;
  });

  test("nobody is there", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    await new Promise((resolve) => server.close(resolve));
    const upstream = {
      url: `http://127.0.0.1:${port}/v1`,
      apiKey: HUB_KEY,
      provider: "x",
      defaultModel: "real",
    };
    const { open, calls } = await startHub({ upstream });
    const answered = await post(await open());
    expect(answered.status).toBe(502);
    expect(errorOf(answered)).toMatchObject({ code: "upstream_unreachable" });
    expect(errorOf(answered).message).not.toContain(String(port));
    expect(calls).toMatchObject([{ status: 502 }]);
  });
});

test("an answer of the model that cannot be recorded is not given to the agent", async () => {
  const { endpoint } = await startBoth(
    (outgoing) => sendJson(outgoing, completion("Hi.")),
    {},
    { onCall: () => Promise.reject(new Error("disk full")) },
  );
  const answered = await post(endpoint);
  expect(answered.status).toBe(503);
  expect(answered.text).not.toMatch(/Hi\.|disk full/);
});

test("an error of the model inside an answer with status 200 is recorded as an error, and costs nothing", async () => {
  const { endpoint, calls } = await startBoth((outgoing) => sendJson(outgoing, error("no credits")));
  expect((await post(endpoint)).status).toBe(200);
  expect(calls).toMatchObject([{ status: 200, error: "no credits" }]);
  expect(calls[0]).not.toHaveProperty("cost_usd");
});

test("an answer of the model in one piece is taken where a stream was asked for", async () => {
  const { endpoint, calls } = await startBoth((outgoing) => sendJson(outgoing, completion("Hi.")));
  const answered = await post(endpoint, { ...HELLO, stream: true });
  expect(JSON.parse(answered.text)).toEqual(completion("Hi."));
  expect(calls).toMatchObject([{ input_tokens: 100, stop_reason: "stop" }]);
});

describe("the hub's key is never shown", () => {
  const spelled = [HUB_KEY, Buffer.from(HUB_KEY).toString("base64"), encodeURIComponent(HUB_KEY)].join(" ");
  const hidden = new RegExp([HUB_KEY, Buffer.from(HUB_KEY).toString("base64").slice(0, 20)].join("|"));

  test.each<[string, Play]>([
    ["in an answer", (outgoing) => sendJson(outgoing, completion(spelled))],
    ["in an error", (outgoing) => sendJson(outgoing, error(spelled), 400)],
    ["in an error that is no JSON", (outgoing) => void outgoing.writeHead(500).end(spelled)],
    ["in the words of an answer that is none", (outgoing) => void outgoing.end(spelled)],
    [
      "in a stream",
      (outgoing) => {
        beginStream(outgoing, chunk({ content: spelled }), chunk({}, spelled), USAGE_CHUNK);
        outgoing.end(`: ${spelled}\n\nevent: ${spelled}\ndata: [DONE]\n\n`);
      },
    ],
    [
      "in an error inside a stream",
      (outgoing) => {
        beginStream(outgoing, chunk({ content: "x" }), error(spelled));
        outgoing.end();
      },
    ],
  ])("%s", async (_, play) => {
    const { endpoint, calls } = await startBoth(play);
    const answered = await post(endpoint, { ...HELLO, stream: true });
    expect(answered.text).not.toBe("");
    expect(answered.text).not.toMatch(hidden);
    expect(JSON.stringify([...answered.headers])).not.toMatch(hidden);
    expect(calls).toHaveLength(1);
    expect(JSON.stringify(calls)).not.toMatch(hidden);
  });
});

test("a model without a key is asked without one", async () => {
  const model = await startModel((outgoing) => sendJson(outgoing, completion("Hi.")));
  const upstream = { url: `${model.url}/?api-version=1`, provider: "openai", defaultModel: "real" };
  const { open } = await startHub({ upstream });
  expect((await post(await open())).status).toBe(200);
  expect(model.asked[0]?.headers.authorization).toBeUndefined();
  expect(model.asked[0]?.url).toBe("/v1/chat/completions?api-version=1");
});

function cutOff(outgoing: Parameters<Play>[0]): void {
  outgoing.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  outgoing.write('{"choices": [', () => outgoing.destroy());
}

function redirect(outgoing: Parameters<Play>[0], status: number): void {
  outgoing.writeHead(status, { location: "/v1/elsewhere" });
  outgoing.end();
}
