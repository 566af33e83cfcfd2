// The client against the mock LLM, and against servers that mean no good.
import type { IncomingMessage, RequestListener } from "node:http";
import { describe, expect, test, vi } from "vitest";
import { deferred, serveBytes, serveHttp, serveSocket } from "../../../test/support/http/servers.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { LlmRequest } from "../../core/ports/llm.ts";
import { startLlm } from "../../../test/support/doubles/mock-llm-harness.ts";
import { createManualClock } from "../../../test/support/manual-clock.ts";
import { createAskLlm, type AskLlmOptions } from "./ask-llm.ts";
import { LlmTrouble, retryAfterMs, retryDelayMs } from "./llm-retry.ts";

const KEY = "sk-live-9f8e7d6c5b4a";
const REQUEST: LlmRequest = { model: "gpt-test", messages: [{ role: "user", content: "Is it good?" }] };
const never = (): AbortSignal => new AbortController().signal;

function ask(url: string, options: Partial<AskLlmOptions> = {}, signal: AbortSignal = never()) {
  return createAskLlm({ url, key: KEY, retries: 0, ...options })(REQUEST, signal);
}

/** The message it fails with; it must not have the key. */
async function failure(url: string, options: Partial<AskLlmOptions> = {}): Promise<string> {
  const error: unknown = await ask(url, options).then(
    () => new Error("it did not fail"),
    (thrown: unknown) => thrown,
  );
  const { message, cause, stack } = error as Error;
  expect(`${message} ${stack} ${cause instanceof Error ? cause.message : ""}`).not.toContain(KEY);
  return message;
}

/** Answers each request with the next; the last is repeated. */
function serveAll(...answers: RequestListener[]) {
  let next = 0;
  return serveHttp((incoming, outgoing) =>
    answers[Math.min(next++, answers.length - 1)]?.(incoming, outgoing),
  );
}

const reply =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_incoming, outgoing) => {
    outgoing.writeHead(status, { "content-type": "application/json", ...headers });
    outgoing.end(typeof body === "string" ? body : JSON.stringify(body));
  };
const GOOD = reply(200, { choices: [{ message: { content: "yes" } }] });

/** Answers the first request with so much, and then with nothing more. */
async function serveSilence(begun: string) {
  const asked = deferred();
  const left = deferred();
  const { url } = await serveSocket((socket) => {
    socket.once("close", () => left.resolve());
    socket.on("data", () => {
      socket.write(begun);
      asked.resolve();
    });
  });
  return { url, asked: asked.promise, left: left.promise };
}

/** Pauses are over at once, unless something else is done in them; limits are never reached. */
function createImpatientClock(during?: () => void): Clock & { pauses: number[] } {
  const pauses: number[] = [];
  return {
    pauses,
    now: () => 0,
    after(delayMs, callback) {
      if (delayMs >= 60_000) return () => {};
      pauses.push(delayMs);
      setImmediate(during ?? callback);
      return () => {};
    },
  };
}

describe("asking an LLM", () => {
  test("returns the text, the model and the tokens", async () => {
    const llm = await startLlm(
      { model: "mock-1", default: { content: "Yes.", usage: { prompt_tokens: 7 } } },
      { key: KEY },
    );
    expect(await ask(llm.url)).toEqual({ text: "Yes.", model: "mock-1", inputTokens: 7, outputTokens: 1 });
    expect(llm.reported[0]?.request).toEqual(REQUEST);
  });

  test("sends what was asked for, and nothing else", async () => {
    const llm = await startLlm({ default: { content: "{}" } });
    const full: LlmRequest = { ...REQUEST, temperature: 0, maxTokens: 9, seed: 1, json: true };
    await createAskLlm({ url: `${llm.url}/` })(full, never());
    expect(llm.reported[0]?.request).toEqual({
      ...REQUEST,
      temperature: 0,
      max_tokens: 9,
      seed: 1,
      response_format: { type: "json_object" },
    });
  });

  test("keeps the path and the query of the base URL", async () => {
    const seen: (string | undefined)[] = [];
    const server = await serveHttp((incoming, outgoing) => {
      seen.push(incoming.url);
      GOOD(incoming, outgoing);
    });
    for (const path of ["", "/", "/openai/", "/deployments/x?api-version=1"]) await ask(server.url + path);
    expect(seen).toEqual([
      "/chat/completions",
      "/chat/completions",
      "/openai/chat/completions",
      "/deployments/x/chat/completions?api-version=1",
    ]);
  });

  test("reads answers in parts, and answers without usage", async () => {
    const content = [
      { type: "text", text: "ye" },
      { type: "text", text: "s" },
    ];
    const server = await serveAll(
      reply(200, { choices: [{ message: { content } }], usage: { prompt_tokens: -1 } }),
    );
    expect(await ask(server.url)).toEqual({ text: "yes", model: "gpt-test" });
  });
});

describe("asking an LLM again", () => {
  test.each([408, 409, 429, 500, 503])("helps against HTTP %i", async (status) => {
    const server = await serveAll(reply(status, {}, { "retry-after": "0" }), GOOD);
    expect(await ask(server.url, { retries: 1 })).toMatchObject({ text: "yes" });
  });

  test.each([400, 401, 403, 404, 413, 422])("is not tried after HTTP %i", async (status) => {
    const answers = vi.fn(reply(status, { error: { message: "no" } }, { "retry-after": "0" }));
    const server = await serveHttp(answers);
    expect(await failure(server.url, { retries: 3 })).toBe(
      `the LLM at ${server.url}/chat/completions answered with HTTP ${status}: no`,
    );
    expect(answers).toHaveBeenCalledTimes(1);
  });

  test("helps when the connection was lost, before the answer and in its middle", async () => {
    const clock = createImpatientClock();
    const server = await serveAll(
      (incoming) => void incoming.socket.destroy(),
      (incoming, outgoing) => {
        outgoing.writeHead(200, { "content-type": "application/json", "content-length": 999 });
        outgoing.write('{"choices":', () => incoming.socket.destroy());
      },
      GOOD,
    );
    expect(await ask(server.url, { retries: 2, clock })).toMatchObject({ text: "yes" });
    const [first = 0, second = 0, ...others] = clock.pauses;
    expect([first <= 500, second > 500, second <= 1000, others]).toEqual([true, true, true, []]);
  });

  test("ends after the last attempt, and says how many there were", async () => {
    const llm = await startLlm({
      default: { error: { status: 429, message: "slow down", retry_after_seconds: 0 } },
    });
    expect(await failure(llm.url, { retries: 2 })).toMatch(
      /answered with HTTP 429: slow down \(tried 3 times\)$/,
    );
    expect(llm.reported).toHaveLength(3);
  });

  test("is given up when the server asks for too long a pause", async () => {
    const server = await serveAll(reply(429, {}, { "retry-after": "3600" }), GOOD);
    expect(await failure(server.url, { retries: 2 })).toContain("HTTP 429");
  });

  test("waits longer each time, and as long as the server asks", () => {
    const trouble = new LlmTrouble("x", { mayRetry: true });
    for (const [attempts, longest] of [
      [1, 500],
      [2, 1000],
      [3, 2000],
      [20, 8000],
    ] as const) {
      const delayMs = retryDelayMs(trouble, attempts);
      expect(delayMs).toBeGreaterThanOrEqual(longest * 0.75);
      expect(delayMs).toBeLessThanOrEqual(longest);
    }
    expect(retryDelayMs(new LlmTrouble("x"), 1)).toBeUndefined();
    expect(retryDelayMs(new LlmTrouble("x", { mayRetry: true, waitMs: 1500 }), 1)).toBe(1500);
    const now = Date.parse("2026-01-01T00:00:00Z");
    const after = (headers: Record<string, string>) => retryAfterMs(new Headers(headers), now);
    expect(after({ "retry-after": "2" })).toBe(2000);
    expect(after({ "retry-after": "2", "retry-after-ms": "150" })).toBe(150);
    expect(after({ "retry-after": "Thu, 01 Jan 2026 00:00:05 GMT" })).toBe(5000);
    expect(after({ "retry-after": "Thu, 01 Jan 2020 00:00:05 GMT" })).toBe(0);
    expect(after({ "retry-after": "soon" })).toBeUndefined();
    expect(after({})).toBeUndefined();
  });
});

describe("a bad LLM server", () => {
  test.each<[string, RequestListener, RegExp]>([
    [
      "answers with a page",
      reply(200, "<html>", { "content-type": "text/html" }),
      /answered with text\/html, not with JSON: is its URL right\?$/,
    ],
    ["answers with no type", (_, outgoing) => void outgoing.end("{}"), /something without a content type/],
    ["answers with broken JSON", reply(200, '{"choices": ['), /JSON that cannot be read/],
    ["answers with JSON without end", reply(200, "[".repeat(50_000)), /JSON that cannot be read/],
    ["answers with a list", reply(200, []), /JSON that cannot be read/],
    ["has no choice", reply(200, { choices: [] }), /answered without a choice$/],
    [
      "says an error with 200",
      reply(200, { error: { message: "overloaded" } }),
      /without a choice: overloaded$/,
    ],
    ["has no message", reply(200, { choices: [null] }), /a choice that has no message/],
    ["has no text", reply(200, { choices: [{ message: { content: null } }] }), /a message that has no text/],
    [
      "refuses",
      reply(200, { choices: [{ message: { content: null, refusal: "never" } }] }),
      /refused: never$/,
    ],
    ["fails with a page", reply(400, "<html>", { "content-type": "text/html" }), /answered with HTTP 400$/],
    ["fails with a text", reply(400, { detail: "bad\u001b[31m\nluck" }), /HTTP 400: bad\\u001b\[31m luck$/],
    ["talks without end", reply(400, { error: "x".repeat(5000) }), /HTTP 400: x{300}…$/],
    [
      "repeats the key",
      reply(401, { error: { message: `Incorrect API key: ${KEY}` } }),
      /HTTP 401: Incorrect API key: \[redacted:key\]$/,
    ],
    [
      "repeats the key where it is cut",
      reply(401, { error: { message: `${"x".repeat(290)}${KEY}` } }),
      /x{290}\[redacted:…$/,
    ],
  ])("is reported when it %s", async (_what, listener, message) => {
    const server = await serveHttp(listener);
    expect(await failure(server.url)).toMatch(message);
  });

  test.each([200, 500])(
    "is not read to the end when it answers with HTTP %i and too much",
    async (status) => {
      const left = deferred();
      const server = await serveHttp((_incoming, outgoing) => {
        outgoing.once("close", () => left.resolve());
        outgoing.writeHead(status, { "content-type": "application/json" });
        const pour = (): void => {
          while (!outgoing.destroyed && outgoing.write(Buffer.alloc(65_536, 32)));
          if (!outgoing.destroyed) outgoing.once("drain", pour);
        };
        pour();
      });
      expect(await failure(server.url)).toContain("more than 4194304 bytes");
      await left.promise;
    },
  );

  test("is not followed when it redirects, and does not get the key elsewhere", async () => {
    const elsewhere = vi.fn((_incoming: IncomingMessage) => {});
    const other = await serveHttp((incoming, outgoing) => {
      elsewhere(incoming);
      outgoing.end();
    });
    for (const status of [301, 302, 307, 308]) {
      const server = await serveAll(reply(status, "", { location: `${other.url}/chat/completions` }));
      expect(await failure(server.url, { retries: 2 })).toContain(`a redirect (HTTP ${status})`);
    }
    expect(elsewhere).not.toHaveBeenCalled();
  });

  test("is reported when it is not there", async () => {
    const server = await serveBytes();
    await server.close();
    expect(await failure(server.url)).toMatch(/cannot be reached \(ECONNREFUSED\)$/);
  });

  test("is reported when it does not speak HTTP", async () => {
    const server = await serveBytes("SSH-2.0-OpenSSH\r\n");
    expect(await failure(server.url)).toContain("broke the connection off");
  });

  test.each(["", "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"])(
    "is left at the time limit when it stops after %j",
    async (begun) => {
      const clock = createManualClock();
      const { asked, left, url } = await serveSilence(begun);
      const failed = failure(url, { clock, timeoutMs: 5000, retries: 3 });
      await asked;
      clock.advance(5000);
      expect(await failed).toMatch(/did not answer within 5 s$/);
      expect(clock.waiting).toBe(0);
      await left;
    },
  );
});

describe("a question to an LLM can be aborted", () => {
  test("during the attempt", async () => {
    const { asked, left, url } = await serveSilence("");
    const stop = new AbortController();
    const answer = ask(url, {}, stop.signal);
    await asked;
    stop.abort(new Error("enough"));
    await expect(answer).rejects.toThrow("enough");
    await left;
  });

  test("between two attempts", async () => {
    const answers = vi.fn(reply(503, {}));
    const server = await serveHttp(answers);
    const stop = new AbortController();
    const clock = createImpatientClock(() => stop.abort(new Error("enough")));
    await expect(ask(server.url, { retries: 3, clock }, stop.signal)).rejects.toThrow("enough");
    expect(answers).toHaveBeenCalledTimes(1);
  });

  test("before the first attempt", async () => {
    await expect(ask("http://127.0.0.1:1", {}, AbortSignal.abort(new Error("enough")))).rejects.toThrow(
      "enough",
    );
  });
});

test.each<[string, AskLlmOptions]>([
  ["no address", { url: "api.openai.com/v1" }],
  ["another kind of address", { url: "file:///etc/passwd" }],
  ["a password in the address", { url: `https://me:${KEY}@api.example/v1` }],
  ["a key that no header can carry", { url: "https://api.example/v1", key: `${KEY}\n` }],
])("%s is refused for an LLM, without the key in the message", (_what, options) => {
  let error: unknown;
  try {
    createAskLlm(options);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ code: "CONFIG_INVALID" });
  expect(String(error)).not.toContain(KEY);
});
