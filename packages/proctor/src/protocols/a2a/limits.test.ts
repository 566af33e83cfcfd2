// What a peer may write is 10 MB at least: reading it must not overflow a stack, nor copy what is large.
import { describe, expect, it } from "vitest";
import { caught } from "../../../test/support/a2a/caught.ts";
import type { JsonObject } from "../../core/json.ts";
import { carry } from "../../../test/support/a2a/carry.ts";
import { codecOf } from "./codecs.ts";
import { A2A_VERSIONS } from "./service.ts";
import { v1 } from "./v1/codec.ts";
import { v03 } from "./v0_3/codec.ts";

const MB = 1 << 20;
const BYTES = "QUJD".repeat((10 * MB) / 4);
const PART = { "1.0": { raw: BYTES }, "0.3": { kind: "file", file: { bytes: BYTES } } };
const KIND = { "1.0": {}, "0.3": { kind: "message" } };
const ROLE = { "1.0": "ROLE_USER", "0.3": "user" };

describe.each(A2A_VERSIONS)("a large message of A2A %s", (version) => {
  const codec = codecOf(version);
  const message = (...parts: JsonObject[]): JsonObject => ({
    message: { ...KIND[version], messageId: "m", role: ROLE[version], parts },
  });

  it("with a file of 10 MB is read, and the file is not copied", () => {
    const request = message(PART[version]);
    expect(codec.decodeRequest("send", request).message.parts[0]?.raw).toBe(BYTES);
    expect(carry(request, { request: "send" }, version, version).json).toEqual(request);
  });

  it.each([
    ["a blank at its end", `${BYTES} `],
    ["a blank in its middle", `${BYTES} ${BYTES}`],
    ["padding in its middle", `${BYTES}=${BYTES}`],
    ["nothing but padding", "=".repeat(10 * MB)],
    ["one character too many", `${BYTES}A`],
  ])("with a file that has %s is refused", (_, bytes) => {
    const part = version === "1.0" ? { raw: bytes } : { kind: "file", file: { bytes } };
    expect(caught(() => codec.decodeRequest("send", message(part))).fields).toHaveLength(1);
  });

  it("of fifty thousand parts is read and carried", () => {
    const part = version === "1.0" ? { text: "x" } : { kind: "text", text: "x" };
    const request = message(...Array.from({ length: 50_000 }, () => part));
    const other = version === "1.0" ? "0.3" : "1.0";
    expect(carry(request, { request: "send" }, version, other).losses).toEqual([]);
  });
});

describe("deep data in a message of A2A", () => {
  it("is carried without being looked into", () => {
    let data: JsonObject = {};
    for (let depth = 0; depth < 100_000; depth++) data = { data };
    const task = {
      kind: "task",
      id: "t",
      contextId: "c",
      status: { state: "working" },
      metadata: data,
      later: data,
    };
    const model = v03.decodeResult("getTask", task);
    // Compared by identity: a matcher would walk into it.
    expect(v1.encodeResult("getTask", model, []) === model).toBe(true);
    expect((v03.encodeResult("getTask", model) as JsonObject)["later"] === data).toBe(true);
  });
});
