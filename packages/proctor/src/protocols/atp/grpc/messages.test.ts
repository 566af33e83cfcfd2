import { readdirSync, readFileSync } from "node:fs";
import { fromBinary, toBinary, type DescMessage } from "@bufbuild/protobuf";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProtoFormatError } from "../../../channels/grpc/proto-reader.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { mutatedMessages, validMessages, type MessageName } from "../../../../test/support/atp/messages.ts";
import { decodeMessage } from "./decode.ts";
import { encodeMessage } from "./encode.ts";
import { EventSchema, ExecuteRequestSchema, ExecuteResponseSchema } from "./gen/atp/v1/agent_pb.ts";
import {
  decodeRequestMessage,
  decodeResponseMessage,
  decodeStreamMessage,
  encodeRequestMessage,
  encodeResponseMessage,
  encodeStreamMessage,
} from "./messages.ts";
import { propertyRuns } from "../../../../test/support/property-runs.ts";

const corpus = new URL("../corpus/", import.meta.url);
const SCHEMAS: Record<MessageName, DescMessage> = {
  request: ExecuteRequestSchema,
  response: ExecuteResponseSchema,
  event: EventSchema,
};

describe("JSON to protobuf and back", () => {
  it.each(["", "compat/", "invalid/"].flatMap((folder) => filesIn(folder)))("loses nothing of %s", (file) => {
    const message = read(file);
    if (!isJsonObject(message)) return;
    // A list of protobuf cannot be absent: to have no artifacts is the same as an empty list of them.
    const expected = nameOf(file) === "response" ? { artifacts: [], ...message } : message;
    expect(roundTrip(nameOf(file), message)).toEqual(expected);
    expect(throughGeneratedCode(nameOf(file), message)).toEqual(expected);
  });

  it("keeps parts that are there and empty, all the way through the shallow messages", () => {
    const request = { version: "1.0", task: {}, constraints: {}, context: {}, metadata: {} };
    expect(decodeRequestMessage(encodeRequestMessage(request))).toEqual(request);
    const response = { version: "1.0", artifacts: [], metrics: {}, error_details: {} };
    expect(decodeResponseMessage(encodeResponseMessage(response))).toEqual(response);
  });

  it.each<MessageName>(["request", "response", "event"])("loses nothing of any valid %s", (name) => {
    fc.assert(
      fc.property(validMessages[name], (message) => {
        expect(normal(roundTrip(name, message))).toEqual(normal(message));
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it.each<MessageName>(["request", "response", "event"])("loses nothing of any odd %s", (name) => {
    fc.assert(
      fc.property(mutatedMessages(name), (message) => {
        fc.pre(isJsonObject(message));
        const expected = normal(message);
        const empty = name === "response" && !("artifacts" in expected) ? { artifacts: [] } : {};
        expect(normal(roundTrip(name, message))).toEqual({ ...empty, ...expected });
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it("writes what the generated code reads, and reads what it writes", () => {
    fc.assert(
      fc.property(validMessages.response, (message) => {
        fc.pre(!JSON.stringify(message).includes("__proto__"));
        expect(normal(throughGeneratedCode("response", message))).toEqual(normal(message));
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  it("tells all tools, no tools and null apart", () => {
    const constraints = (json: JsonObject): Json | undefined =>
      roundTrip("request", { constraints: json })["constraints"];
    expect(constraints({})).toEqual({});
    expect(constraints({ allowed_tools: [] })).toEqual({ allowed_tools: [] });
    expect(constraints({ allowed_tools: null })).toEqual({ allowed_tools: null });
    expect(constraints({ allowed_tools: ["a", "b"] })).toEqual({ allowed_tools: ["a", "b"] });
  });

  it("has no extensions for what the fields can hold", () => {
    const strict = [
      "request-full.json",
      "response-failed.json",
      "response-empty.json",
      "event-tool-call.json",
    ];
    for (const file of strict) {
      const schema = SCHEMAS[nameOf(file)];
      const message = fromBinary(schema, encodeMessage(schema, read(file) as JsonObject)) as {
        extensions?: unknown;
      };
      expect([file, message.extensions]).toEqual([file, undefined]);
    }
  });

  it("sends base64 content as bytes, where it says that it is", () => {
    const artifact = { type: "file", path: "a.bin", content: "AAEC/w==", content_encoding: "base64" };
    const bytes = encodeMessage(ExecuteResponseSchema, { artifacts: [artifact] });
    const message = fromBinary(ExecuteResponseSchema, bytes);
    expect(message.artifacts[0]?.body).toEqual({ case: "contentBytes", value: Buffer.from([0, 1, 2, 255]) });
    expect(decodeMessage(ExecuteResponseSchema, bytes)).toEqual({ artifacts: [artifact] });
    for (const content of ["AAEC/w", "not base64!", 7]) {
      const odd = { ...artifact, content };
      expect(roundTrip("response", { artifacts: [odd] })).toEqual({ artifacts: [odd] });
    }
  });

  it("keeps names that are special here or in JavaScript", () => {
    const message = JSON.parse(
      '{"extensions": {"a": 1}, "content_bytes": "x", "__proto__": {"polluted": true}, "payload": {"__proto__": 1}}',
    ) as JsonObject;
    const back = roundTrip("event", message);
    expect(JSON.stringify(back)).toBe(
      '{"payload":{"__proto__":1},"extensions":{"a":1},"content_bytes":"x","__proto__":{"polluted":true}}',
    );
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
  });

  it("gives whole numbers as numbers, and those that JSON cannot hold as text", () => {
    for (const sequence of [0, 1, -1, 127, 128, 2 ** 31, 2 ** 53 - 1, -(2 ** 53 - 1)]) {
      expect(roundTrip("event", { sequence })).toEqual({ sequence });
    }
    const message = fromBinary(EventSchema, new Uint8Array());
    message.sequence = 9_223_372_036_854_775_807n;
    expect(decodeMessage(EventSchema, toBinary(EventSchema, message))).toEqual({
      sequence: "9223372036854775807",
    });
  });

  it("goes through the messages of the service", () => {
    const request = read("request-full.json") as JsonObject;
    expect(decodeRequestMessage(encodeRequestMessage(request))).toEqual(request);
    const event = read("event-tool-call.json") as JsonObject;
    expect(decodeStreamMessage(encodeStreamMessage("event", event))).toEqual({ kind: "event", json: event });
  });
});

describe("bytes that are no message", () => {
  it("are refused, or read as far as they make sense; never more than an error", () => {
    const valid = encodeMessage(ExecuteResponseSchema, read("response-completed.json") as JsonObject);
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }),
          flipped(valid),
          fc.nat(valid.length).map((end) => valid.subarray(0, end)),
        ),
        (bytes) => {
          try {
            expect(isJsonObject(decodeMessage(ExecuteResponseSchema, bytes))).toBe(true);
          } catch (problem) {
            expect(problem).toBeInstanceOf(ProtoFormatError);
          }
        },
      ),
      { numRuns: propertyRuns(2000) },
    );
  });

  it("are refused when they are nested too deep, either way", () => {
    let deep: Json = {};
    for (let depth = 0; depth < 10_000; depth++) deep = { a: deep };
    expect(() => encodeMessage(EventSchema, { payload: deep })).toThrow(ProtoFormatError);
    let bytes = new Uint8Array([0x2a, 0]);
    for (let depth = 0; depth < 1000; depth++) bytes = nest(bytes);
    const struct = structOf(bytes);
    const payload = new Uint8Array([0x32, ...length(struct.length), ...struct]);
    expect(() => decodeMessage(EventSchema, payload)).toThrow(/nested deeper/);
  });

  it("are refused when a text is not UTF-8, and the replacement character is a text like any other", () => {
    expect(() => decodeMessage(EventSchema, new Uint8Array([0x0a, 2, 0xc3, 0x28]))).toThrow(/UTF-8/);
    expect(roundTrip("event", { version: "\uFFFD" })).toEqual({ version: "\uFFFD" });
  });

  it("skip what a later version may add", () => {
    const later = new Uint8Array([
      0x98, 0x06, 1, 0xa2, 0x06, 1, 0x41, 0xa3, 0x06, 0x08, 1, 0xa4, 0x06, 0x0a, 1, 0x42,
    ]);
    expect(decodeMessage(EventSchema, later)).toEqual({ version: "B" });
  });
});

/** Struct { fields { "a": Value } } around the content of a Value. */
function structOf(value: Uint8Array): number[] {
  const entry = [0x0a, 1, 0x61, 0x12, ...length(value.length), ...value];
  return [0x0a, ...length(entry.length), ...entry];
}

function nest(value: Uint8Array): Uint8Array<ArrayBuffer> {
  const struct = structOf(value);
  return new Uint8Array([0x2a, ...length(struct.length), ...struct]);
}

function length(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) | 128, ...length(Math.floor(value / 128))];
}

function flipped(bytes: Uint8Array): fc.Arbitrary<Uint8Array> {
  return fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)).map(([at, value]) => bytes.with(at, value));
}

function roundTrip(name: MessageName, message: JsonObject): JsonObject {
  return decodeMessage(SCHEMAS[name], encodeMessage(SCHEMAS[name], message));
}

function throughGeneratedCode(name: MessageName, message: JsonObject): JsonObject {
  const bytes = encodeMessage(SCHEMAS[name], message);
  return decodeMessage(SCHEMAS[name], toBinary(SCHEMAS[name], fromBinary(SCHEMAS[name], bytes)));
}

/** What protobuf cannot hold and JSON can: half a character, and the sign of zero. */
function normal(message: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(message), (_, value: unknown) =>
    typeof value === "string" ? value.toWellFormed() : value,
  ) as JsonObject;
}

function read(file: string): Json {
  const json = JSON.parse(readFileSync(new URL(file, corpus), "utf8")) as { message: Json };
  return file.includes("/") ? json.message : json;
}

function filesIn(folder: string): string[] {
  return readdirSync(new URL(folder, corpus))
    .filter((file) => file.endsWith(".json"))
    .map((file) => folder + file);
}

function nameOf(file: string): MessageName {
  return (
    (["request", "response", "event"] as const).find((name) => file.split("/").at(-1)?.startsWith(name)) ??
    "event"
  );
}
