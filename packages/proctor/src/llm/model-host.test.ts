import { describe, expect, test } from "vitest";
import {
  client,
  completion,
  errorOf,
  HELLO,
  HUB_KEY,
  onEnd,
  post,
  RUN_KEY,
  sendJson,
  startBoth,
  startHub,
} from "../../test/support/llm/model-host-harness.ts";
import { rootSpanId } from "../runtime/span-ids.ts";

const answer = (): ReturnType<typeof startBoth> =>
  startBoth((outgoing) => sendJson(outgoing, completion("Hi.")));

describe("an endpoint of a run", () => {
  test("is on loopback, ends in /v1, and says which model is behind it", async () => {
    const { endpoint, url } = await answer();
    expect(endpoint).toMatchObject({
      url: `${url}/llm/01890000-0000-7000-8000-000000000001/v1`,
      port: Number(new URL(url).port),
      provider: "openai",
      model: "real",
    });
  });

  test("asks the hub's model with the hub's key, and with nothing of the agent's but the body", async () => {
    const { endpoint, model } = await answer();
    const response = await fetch(`${endpoint.url}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${RUN_KEY}`, "x-agent": "private", cookie: "a=b" },
      body: JSON.stringify({ ...HELLO, temperature: 0.5, unknown: { kept: [1] } }),
    });
    expect(await response.json()).toEqual(completion("Hi."));
    expect(model.asked).toHaveLength(1);
    const [{ url, headers, body } = { url: "", headers: {}, body: {} }] = model.asked;
    expect(url).toBe("/v1/chat/completions");
    expect(headers.authorization).toBe(`Bearer ${HUB_KEY}`);
    expect(JSON.stringify(headers)).not.toMatch(/private|cookie|proctor-key/);
    expect(body).toEqual({ ...HELLO, model: "real", temperature: 0.5, unknown: { kept: [1] } });
  });

  test("names the run's trace to the hub's model, below the span that the agent names or else below the run", async () => {
    const { endpoint, model } = await answer();
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    const own = `00-${traceId}-b7ad6b7169203331-01`;
    await post(endpoint);
    await fetch(`${endpoint.url}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${RUN_KEY}`, traceparent: own },
      body: JSON.stringify(HELLO),
    });
    const below = `00-${traceId}-${rootSpanId("01890000-0000-7000-8000-000000000001")}-01`;
    expect(model.asked.map(({ headers }) => headers["traceparent"])).toEqual([below, own]);
  });

  test("records every call, with what it used and cost", async () => {
    const { endpoint, calls } = await answer();
    await post(endpoint, { ...HELLO, temperature: 0.5 });
    expect(calls).toEqual([
      {
        observed: true,
        status: 200,
        model: "real",
        requested_model: "gpt-x",
        input_tokens: 100,
        output_tokens: 50,
        duration_ms: expect.any(Number) as number,
        stop_reason: "stop",
        cost_usd: 0.0002,
        temperature: 0.5,
      },
    ]);
  });

  test("records refused requests as well", async () => {
    const { endpoint, calls, model } = await answer();
    const refused = [
      ["{", 400],
      ["[]", 400],
      [`{"messages": ${"[".repeat(300)}${"]".repeat(300)}}`, 400],
      [{ ...HELLO, model: 7 }, 400],
      [{ ...HELLO, model: "m".repeat(300) }, 400],
      [{ ...HELLO, stream: "yes" }, 400],
      [{ ...HELLO, stream: true, stream_options: [] }, 400],
    ] as const;
    for (const [body, status] of refused) {
      const answered = await post(endpoint, body);
      expect(answered.status).toBe(status);
      expect(errorOf(answered)).toMatchObject({ type: "invalid_request_error" });
    }
    expect(calls.map(({ status, error }) => [status, typeof error])).toEqual(
      refused.map(([, status]) => [status, "string"]),
    );
    expect(model.asked).toEqual([]);
  });

  test("refuses a body of more than 10 MB, with or without a length", async () => {
    const { endpoint, calls, model } = await answer();
    const large = "x".repeat(10 * 1024 * 1024 + 1);
    const answered = await post(endpoint, large);
    expect(answered.status).toBe(413);
    expect(errorOf(answered).code).toBe("request_too_large");
    const pieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let sent = 0; sent < 11; sent++) controller.enqueue(new Uint8Array(1024 * 1024).fill(120));
        controller.close();
      },
    });
    const headers = { authorization: `Bearer ${RUN_KEY}` };
    const init = { method: "POST", headers, body: pieces, duplex: "half" as const };
    expect((await fetch(`${endpoint.url}/chat/completions`, init)).status).toBe(413);
    expect(calls.map(({ status }) => status)).toEqual([413, 413]);
    expect(model.asked).toEqual([]);
    // And just below the limit it is only a wrong body.
    expect((await post(endpoint, large.slice(1))).status).toBe(400);
  });

  test("lets no more bytes in at once than the hub can hold", async () => {
    const { endpoint } = await startBoth((outgoing) => sendJson(outgoing, completion("Hi.")), {
      limits: { heldBytes: 1000 },
    });
    const answered = await post(endpoint, { ...HELLO, padding: "x".repeat(1000) });
    expect(answered.status).toBe(429);
    expect(answered.headers.get("retry-after")).toBe("1");
    // What was refused or answered is not held any more.
    for (let count = 0; count < 20; count++) {
      expect((await post(endpoint)).status).toBe(200);
      expect((await post(endpoint, { ...HELLO, stream: "yes" })).status).toBe(400);
    }
  });
});

describe("the key of a model endpoint", () => {
  test.each([
    ["no key", ""],
    ["another scheme", `Basic ${RUN_KEY}`],
    ["a wrong key", "Bearer wrong"],
    ["one that is almost right", `Bearer ${RUN_KEY}x`],
    ["a part of it", `Bearer ${RUN_KEY.slice(0, -1)}`],
    ["the hub's own", `Bearer ${HUB_KEY}`],
    ["the key of another run", "Bearer key-of-another-run"],
  ])("is needed: %s", async (_, authorization) => {
    const { endpoint, open, calls, model } = await answer();
    await open({ runId: "01890000-0000-7000-8000-000000000002", key: "key-of-another-run" });
    for (const [method, path] of [
      ["POST", "chat/completions"],
      ["GET", "models"],
      ["GET", "nothing"],
    ]) {
      const headers = authorization === "" ? {} : { authorization };
      const response = await fetch(`${endpoint.url}/${path}`, { method: method ?? "", headers });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ error: { code: "invalid_api_key" } });
    }
    expect([calls, model.asked]).toEqual([[], []]);
  });

  test("opens nothing at the address of another run, or of none", async () => {
    const { endpoint, open } = await answer();
    const other = await open({ runId: "01890000-0000-7000-8000-000000000002", key: "key-of-another-run" });
    expect((await post(other)).status).toBe(401);
    expect((await post({ url: endpoint.url.replace("000001", "000003") })).status).toBe(401);
    expect((await post(other, HELLO, { key: "key-of-another-run" })).status).toBe(200);
  });

  test("means nothing when the endpoint is closed, also while another of the same run is open", async () => {
    const { endpoint, open } = await answer();
    const second = await open({ key: "second-key-of-the-run" });
    expect((await post(second, HELLO, { key: "second-key-of-the-run" })).status).toBe(200);
    await endpoint.close();
    await endpoint.close();
    expect((await post(endpoint)).status).toBe(401);
    expect((await post(second, HELLO, { key: "second-key-of-the-run" })).status).toBe(200);
  });

  test("is never recorded, not even as the name of a model", async () => {
    const { endpoint, calls } = await answer();
    await post(endpoint, { ...HELLO, model: RUN_KEY });
    expect(JSON.stringify(calls)).not.toContain(RUN_KEY);
    expect(calls[0]?.["requested_model"]).toBe("[redacted:LLM_API_KEY]");
  });
});

describe("another path of a model endpoint:", () => {
  test.each([
    ["POST", "/embeddings", 404, "unknown_url"],
    ["POST", "/completions", 404, "unknown_url"],
    ["GET", "/models/real", 404, "unknown_url"],
    ["POST", "/chat/completions/", 404, "unknown_url"],
    ["GET", "/chat/completions", 405, "method_not_allowed"],
    ["DELETE", "/models", 405, "method_not_allowed"],
  ])("%s %s is answered in OpenAI's form", async (method, path, status, code) => {
    const { endpoint, calls } = await answer();
    const headers = { authorization: `Bearer ${RUN_KEY}` };
    const response = await fetch(`${endpoint.url}${path}`, { method, headers });
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({
      error: { message: expect.any(String) as string, type: "invalid_request_error", param: null, code },
    });
    expect(calls).toEqual([]);
  });

  test.each(["/llm", "/llm/x", "/llm/x/v2/models", "/llm//v1/models"])("%s does not exist", async (path) => {
    const { url } = await answer();
    const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${RUN_KEY}` } });
    expect([response.status, response.headers.get("content-type")]).toEqual([404, "application/json"]);
  });
});

describe("the model of a run", () => {
  const play = (outgoing: Parameters<Parameters<typeof startBoth>[0]>[0]): void =>
    sendJson(outgoing, completion("Hi."));

  test("is the hub's, whatever the agent asks for, or when it asks for none", async () => {
    const { endpoint, model, calls } = await startBoth(play);
    await post(endpoint, { ...HELLO, model: "other" });
    await post(endpoint, { messages: HELLO.messages });
    expect(model.asked.map(({ body }) => body["model"])).toEqual(["real", "real"]);
    expect(calls.map((call) => call["requested_model"])).toEqual(["other", undefined]);
    const list = await client(endpoint).models.list();
    expect(list.data.map(({ id, owned_by }) => [id, owned_by])).toEqual([["real", "openai"]]);
  });

  test("is the agent's choice among those that the hub allows, each at its price", async () => {
    const { endpoint, model, calls } = await startBoth(play, { models: ["other"] });
    for (const name of ["other", "real", "unheard-of"]) await post(endpoint, { ...HELLO, model: name });
    expect(model.asked.map(({ body }) => body["model"])).toEqual(["other", "real", "real"]);
    expect(calls.map(({ cost_usd }) => cost_usd)).toEqual([0.002, 0.0002, 0.0002]);
    expect((await client(endpoint).models.list()).data.map(({ id }) => id)).toEqual(["real", "other"]);
  });

  test("is the one that the run names, and then no other", async () => {
    const { endpoint, model, open } = await startBoth(play, { models: ["other"] }, { model: "other" });
    expect(endpoint.model).toBe("other");
    await post(endpoint, { ...HELLO, model: "real" });
    expect(model.asked.map(({ body }) => body["model"])).toEqual(["other"]);
    await expect(open({ model: "unheard-of" })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining("it has real, other") as string,
    });
  });
});

test("a hub that stops cuts its calls, and opens no endpoint any more", async () => {
  const { host, endpoint, open, calls, model } = await startBoth(() => {});
  const asking = post(endpoint);
  await expect.poll(() => model.asked.length).toBe(1);
  await host.close();
  expect(await asking).toMatchObject({ status: 503 });
  expect(calls).toMatchObject([{ status: 503, error: "the run has ended" }]);
  await model.left;
  await expect(open()).rejects.toMatchObject({ code: "SHUTTING_DOWN" });
});

test("the mock answers for free where no model is configured", async () => {
  const bodies: unknown[] = [];
  const { open, calls } = await startHub({
    mock: () =>
      Promise.resolve({
        model: "mock",
        ask(body) {
          bodies.push(body["model"]);
          return Promise.resolve(Response.json(completion("I am a mock.")));
        },
      }),
  });
  const endpoint = await open({ budgetUsd: 0 });
  onEnd(() => endpoint.close());
  expect(endpoint).toMatchObject({ provider: "mock", model: "mock" });
  expect((await post(endpoint)).status).toBe(200);
  expect(calls).toMatchObject([{ model: "mock", cost_usd: 0, input_tokens: 100 }]);
  expect(bodies).toEqual(["mock"]);
});
