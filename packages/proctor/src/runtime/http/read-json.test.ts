import { describe, expect, it } from "vitest";
import { ProctorError } from "../../core/errors.ts";
import { readBody } from "./read-body.ts";
import { readJson, readOptionalJson, requireObject } from "./read-json.ts";

const OPTIONS = { limitBytes: 1000 };

/** Without a length, as a body that is sent in chunks. */
function chunked(chunks: readonly (string | Uint8Array)[], fail?: Error): ReadableStream<Uint8Array> {
  const left = [...chunks];
  return new ReadableStream({
    pull(controller) {
      const chunk = left.shift();
      if (chunk !== undefined) controller.enqueue(Buffer.from(chunk));
      else if (fail !== undefined) controller.error(fail);
      else controller.close();
    },
  });
}

function post(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream,
  headers: Record<string, string> = {},
): Request {
  return new Request("http://hub/runs", {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers },
    ...(body instanceof ReadableStream && { duplex: "half" }),
  });
}

describe("the JSON body of a request", () => {
  it.each([
    "application/json",
    "Application/JSON; charset=utf-8",
    'application/json;charset="UTF-8"',
    "application/vnd.api+json",
    "application/vnd.atp.v1+json; q=1",
  ])("is taken as %s", async (type) => {
    expect(await readJson(post('{"a": [1]}', { "content-type": type }), OPTIONS)).toEqual({ a: [1] });
  });

  it.each([
    ["content-type", ""],
    ["content-type", "text/plain"],
    ["content-type", "application/x-www-form-urlencoded"],
    ["content-type", "multipart/form-data; boundary=application/json"],
    ["content-type", "application/jsonp"],
    ["content-type", "application/json; charset=utf-16"],
    ["content-encoding", "gzip"],
  ])("is refused with %s %j, unless the endpoint takes any type", async (name, value) => {
    const request = () => post("{}", { [name]: value });
    await expect(readJson(request(), OPTIONS)).rejects.toMatchObject({ code: "UNSUPPORTED_MEDIA_TYPE" });
    await expect(readOptionalJson(request(), OPTIONS)).rejects.toMatchObject({
      code: "UNSUPPORTED_MEDIA_TYPE",
    });
    expect(await readJson(request(), { ...OPTIONS, anyType: true })).toEqual({});
  });

  it.each(["", " \r\n\t"])("may be left out as %j only where that is allowed", async (text) => {
    await expect(readJson(post(text), OPTIONS)).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    expect(await readOptionalJson(post(text, { "content-type": "" }), OPTIONS)).toBeUndefined();
  });

  it.each([
    ["bad syntax", '{"secret": hunter2}', "not valid JSON in UTF-8"],
    ["bad UTF-8", Uint8Array.of(0x22, 0xff, 0x22), "not valid JSON in UTF-8"],
    ["a number that would be rounded", '{"n": 12345678901234567890}', "n is 12345678901234567890"],
    ["201 levels of nesting", "[".repeat(201) + "]".repeat(201), "nested more than 200 levels deep"],
  ])("is refused for %s without quoting it", async (_, body, message) => {
    const refused = await readJson(post(body), OPTIONS).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "INVALID_REQUEST" });
    expect(String(refused)).toContain(message);
    expect(String(refused)).not.toContain("hunter2");
  });

  it("is taken with 200 levels of nesting and with a byte order mark", async () => {
    expect(await readJson(post("[".repeat(200) + "]".repeat(200)), OPTIONS)).toHaveLength(1);
    expect(await readJson(post("\uFEFF[1]"), OPTIONS)).toEqual([1]);
  });

  it("can be required to be an object", () => {
    expect(requireObject({ a: 1 })).toEqual({ a: 1 });
    for (const body of [[], null, "a", 1]) expect(() => requireObject(body)).toThrow("must be a JSON object");
  });
});

describe("the bytes of a request's body", () => {
  it.each([1000, 1001])("are counted while %i of them are read", async (size) => {
    const text = "x".repeat(size);
    for (const body of [text, chunked([text.slice(0, 600), text.slice(600)])]) {
      const read = readBody(post(body), OPTIONS);
      if (size <= 1000) expect((await read).byteLength).toBe(size);
      else await expect(read).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    }
  });

  it("are not read at all when the request says that there are too many", async () => {
    const body = chunked(["{}"]);
    const request = post(body, { "content-length": "1001" });
    await expect(readBody(request, OPTIONS)).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    expect(request.bodyUsed).toBe(false);
  });

  it("are refused when they are cut off", async () => {
    await expect(readBody(post(chunked(["{"], new Error("reset"))), OPTIONS)).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: "the body was cut off before its end",
    });
  });

  it("are read no further once the signal aborts, whose reason is thrown", async () => {
    const reason = new Error("the run is over");
    const stop = new AbortController();
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: () => new Promise(() => stop.abort(reason)),
      cancel: () => void (cancelled = true),
    });
    await expect(readBody(post(body), { ...OPTIONS, signal: stop.signal })).rejects.toBe(reason);
    expect(cancelled).toBe(true);
  });

  it("are refused with whatever the counter of kept bytes throws", async () => {
    const full = new ProctorError("LIMIT_REACHED", "too many large calls at once");
    let kept = 0;
    const read = readBody(post(chunked(["aa", "bbb", "c"])), {
      ...OPTIONS,
      onBytes(count) {
        kept += count;
        if (kept > 4) throw full;
      },
    });
    await expect(read).rejects.toBe(full);
    expect(kept).toBe(5);
  });
});
