// Endpoints that send too much, without end, or no text at all.
import { describe, expect, it } from "vitest";
import { drive } from "../../../test/support/protocols/drive.ts";
import { jsonEndpoint } from "../../../test/support/protocols/json-endpoint.ts";

describe("a hostile JSON endpoint", () => {
  it("gets a large task whole, and its large answer is taken", async () => {
    const text = "x".repeat(2_000_000);
    const { spec, asked } = await jsonEndpoint({ answer: text }, { body: { all: "{input.text}" } });
    const { output } = await drive(spec, { task: { description: "d", input_data: { text } } });
    expect(asked[0]?.text).toHaveLength(text.length + '{"all":""}'.length);
    expect(output).toBe(text);
  });

  it("cannot announce more than is read", async () => {
    const { spec } = await jsonEndpoint((response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": String(10 ** 12) });
      response.write("{");
    });
    const { end } = await drive(spec);
    expect(end.failure).toMatchObject({
      code: "INVALID_RESPONSE",
      message: expect.stringContaining("larger") as string,
    });
  });

  it.each([
    ["sse", "text/event-stream", `data: {"d":"${"y".repeat(60_000)}"}\n\n`],
    ["lines", "application/x-ndjson", `{"d":"${"y".repeat(60_000)}"}\n`],
  ])("that streams text without end (%s) is left", async (stream, type, frame) => {
    let closed = (): void => undefined;
    const left = new Promise<void>((resolve) => (closed = resolve));
    const { spec } = await jsonEndpoint(
      (response) => {
        response.writeHead(200, { "content-type": type });
        response.on("close", closed);
        const pour = (): void => {
          while (!response.destroyed && response.write(frame));
        };
        response.on("drain", pour);
        pour();
      },
      { stream, delta: "d" },
    );
    const { end, said, logs } = await drive(spec);
    await left;
    expect(end.failure).toMatchObject({ code: "INVALID_RESPONSE" });
    // A message has a limit of its own, and says that it was reached.
    expect(said.length).toBeLessThanOrEqual(1024 * 1024);
    expect(logs["platform"]).toContain("longer than a message may be");
  });

  it("that streams one endless frame is left", async () => {
    const { spec } = await jsonEndpoint(
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write("data: ");
        const piece = "z".repeat(1024 * 1024);
        const pour = (): void => {
          while (!response.destroyed && response.write(piece));
        };
        response.on("drain", pour);
        pour();
      },
      { stream: "sse" },
    );
    expect((await drive(spec)).end.failure).toMatchObject({ code: "INVALID_RESPONSE" });
  });

  it("that streams bytes which are no text is recorded once", async () => {
    const { spec } = await jsonEndpoint(
      (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(Buffer.from('data: {"text":"a\xff"}\n\ndata: {"text":"\xfe\xff"}\n\n', "latin1"));
      },
      { stream: "sse" },
    );
    const { output, rules } = await drive(spec);
    expect(output).toBe("a\uFFFD\uFFFD\uFFFD");
    expect(rules).toEqual(["line.encoding"]);
  });

  it("cannot reach the prototype of anything through a path or a template", async () => {
    const { spec, asked } = await jsonEndpoint(
      { answer: "x" },
      { body: { a: "{input.__proto__}", b: "{input.constructor.name}" }, answer: "constructor" },
    );
    const { end } = await drive(spec, { task: { description: "d", input_data: {} } });
    expect(asked[0]?.body).toEqual({ a: null, b: null });
    expect(end.failure?.code).toBe("INVALID_RESPONSE");
  });
});
