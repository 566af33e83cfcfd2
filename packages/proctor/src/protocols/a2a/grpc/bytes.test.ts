import { fromBinary, fromJson, toBinary, toJson, type DescMessage, type JsonValue } from "@bufbuild/protobuf";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProtoFormatError } from "../../../channels/grpc/proto-reader.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import * as model from "../../../../test/support/a2a/model-arbitraries.ts";
import { propertyRuns } from "../../../../test/support/property-runs.ts";
import type { Loss } from "../codec.ts";
import { decodeMessage } from "./decode.ts";
import { encodeMessage } from "./encode.ts";
import {
  AgentCardSchema,
  GetTaskRequestSchema,
  ListTasksResponseSchema,
  SendMessageRequestSchema,
  StreamResponseSchema,
  TaskPushNotificationConfigSchema,
  TaskSchema,
} from "./gen/lf/a2a/v1/a2a_pb.ts";

const VALUES: readonly (readonly [name: string, schema: DescMessage, values: fc.Arbitrary<JsonObject>])[] = [
  ["request", SendMessageRequestSchema, model.sendRequest],
  ["task", TaskSchema, model.task],
  ["frame", StreamResponseSchema, model.frame],
  ["push configuration", TaskPushNotificationConfigSchema, model.pushConfig],
  ["card", AgentCardSchema, model.card],
];

describe("A2A 1.0 as protobuf", () => {
  it.each(VALUES)("carries any %s whole", (_, schema, values) => {
    fc.assert(
      fc.property(values, (value) => {
        const losses: Loss[] = [];
        expect(decodeMessage(schema, encodeMessage(schema, value, losses), { fill: true })).toEqual(value);
        expect(losses).toEqual([]);
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  it.each(VALUES)("writes and reads a %s as protobuf's own library does", (_, schema, values) => {
    fc.assert(
      fc.property(values, (value) => {
        const theirs = toJson(schema, fromBinary(schema, encodeMessage(schema, value)));
        const bytes = toBinary(schema, fromJson(schema, value as JsonValue));
        expect(decodeMessage(schema, bytes, { fill: false })).toEqual(theirs);
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  it("tells what is absent from what is empty, where the .proto can", () => {
    for (const request of [{ id: "1" }, { id: "1", historyLength: 0 }, { id: "1", historyLength: 5 }]) {
      expect(roundTrip(GetTaskRequestSchema, request)).toEqual(request);
    }
    for (const part of [{ text: "" }, { raw: "" }, { url: "" }, { data: null }, { data: {} }, { data: [] }]) {
      const task = {
        id: "1",
        status: { state: "TASK_STATE_WORKING" },
        history: [{ messageId: "m", role: "ROLE_USER", parts: [part] }],
      };
      expect(roundTrip(TaskSchema, task)).toEqual(task);
    }
  });

  it("fills in what must be there, for answers only", () => {
    const page = { tasks: [], nextPageToken: "", pageSize: 0, totalSize: 0 };
    const bytes = encodeMessage(ListTasksResponseSchema, page);
    expect(bytes).toHaveLength(0);
    expect(decodeMessage(ListTasksResponseSchema, bytes, { fill: true })).toEqual(page);
    expect(decodeMessage(ListTasksResponseSchema, bytes, { fill: false })).toEqual({});
  });

  it("keeps the number of a state that has no name yet", () => {
    const task = { id: "1", status: { state: "42" } };
    expect(roundTrip(TaskSchema, task)).toEqual(task);
    expect(fromBinary(TaskSchema, encodeMessage(TaskSchema, task)).status?.state).toBe(42);
  });

  it("notes what protobuf cannot carry, and where it stood", () => {
    const task = {
      id: "1",
      generation: 7,
      status: { state: "TASK_STATE_PAUSED", timestamp: "yesterday", mood: null },
      history: [
        {
          messageId: "m",
          role: "ROLE_USER",
          parts: [{ text: "a", url: "b" }, { video: "x" }, { raw: "no base64!" }],
        },
        "no message",
      ],
      artifacts: {},
      metadata: [1],
    };
    const losses: Loss[] = [];
    const bytes = encodeMessage(TaskSchema, task, losses, "result");
    expect(losses.map(({ path }) => path)).toEqual([
      "result.generation",
      "result.status.state",
      "result.status.timestamp",
      "result.status.mood",
      "result.history[0].parts[0].url",
      "result.history[0].parts[1].video",
      "result.history[0].parts[2].raw",
      "result.history[1]",
      "result.artifacts",
      "result.metadata",
    ]);
    expect(losses[1]?.message).toBe(
      "is a value of type string that does not fit its field in protobuf (enum), and is left out",
    );
    expect(decodeMessage(TaskSchema, bytes, { fill: false })).toEqual({
      id: "1",
      status: {},
      history: [{ messageId: "m", role: "ROLE_USER", parts: [{ text: "a" }, {}, {}] }],
    });
  });

  it("notes half a character, which becomes another one", () => {
    const losses: Loss[] = [];
    const request = { id: "half \ud83d here" };
    expect(
      decodeMessage(GetTaskRequestSchema, encodeMessage(GetTaskRequestSchema, request, losses), {
        fill: false,
      }),
    ).toEqual({
      id: "half \ufffd here",
    });
    expect(losses).toEqual([{ path: "", message: "holds half a character, which was replaced" }]);
  });

  it("takes base64 of either alphabet, with or without padding, and nothing else", () => {
    const accepted = { "+/8=": "+/8=", "-_8=": "+/8=", "-_8": "+/8=", AA: "AA==", "": "" };
    for (const [given, kept] of Object.entries(accepted)) {
      expect(roundTrip(TaskSchema, { metadata: {}, history: [{ parts: [{ raw: given }] }] })).toEqual({
        metadata: {},
        history: [{ parts: [{ raw: kept }] }],
      });
    }
    for (const odd of ["A", "AA=", "AAA==", "A A A", "AA\nAA", "====", "AAE=C", "é"]) {
      const losses: Loss[] = [];
      encodeMessage(TaskSchema, { history: [{ parts: [{ raw: odd }] }] }, losses);
      expect([odd, losses.length]).toEqual([odd, 1]);
    }
  });

  it("carries a file of megabytes", () => {
    const raw = Buffer.alloc(5_000_001, "file ").toString("base64");
    const task = {
      id: "1",
      status: { state: "TASK_STATE_COMPLETED" },
      artifacts: [{ artifactId: "a", parts: [{ raw }] }],
    };
    expect(roundTrip(TaskSchema, task)).toEqual(task);
  });

  it("keeps numbers as the doubles that they are", () => {
    for (const number of [0, -1, 0.1, 2 ** 53, 1e21, 1.7976931348623157e308, 5e-324]) {
      const task = { id: "1", metadata: { number } };
      expect(roundTrip(TaskSchema, task)).toEqual(task);
    }
  });

  it("keeps names that are special in JavaScript", () => {
    const task = JSON.parse(
      '{"id":"1","metadata":{"__proto__":{"polluted":true},"constructor":1,"toString":"x"}}',
    ) as JsonObject;
    const back = roundTrip(TaskSchema, task);
    expect(JSON.stringify(back)).toBe(JSON.stringify(task));
    const card = JSON.parse('{"securitySchemes":{"__proto__":{"mtlsSecurityScheme":{}}}}') as JsonObject;
    expect(JSON.stringify(roundTrip(AgentCardSchema, card))).toBe(JSON.stringify(card));
    const odd = JSON.parse('{"__proto__":1,"constructor":2,"id":"1"}') as JsonObject;
    expect(roundTrip(TaskSchema, odd)).toEqual({ id: "1" });
  });

  it("reads times as protobuf's own library does, and writes those it can hold", () => {
    const times = {
      "2025-10-28T10:30:00Z": "2025-10-28T10:30:00Z",
      "2025-10-28T10:30:00.5Z": "2025-10-28T10:30:00.500Z",
      "2025-10-28T10:30:00.123456789+02:00": "2025-10-28T08:30:00.123456789Z",
      "0001-01-01T00:00:00Z": "0001-01-01T00:00:00Z",
      "9999-12-31T23:59:59.999999999Z": "9999-12-31T23:59:59.999999999Z",
      "1969-12-31T23:59:59.250Z": "1969-12-31T23:59:59.250Z",
    };
    for (const [given, kept] of Object.entries(times)) {
      const bytes = encodeMessage(TaskSchema, { status: { timestamp: given } });
      expect(decodeMessage(TaskSchema, bytes, { fill: false })).toEqual({ status: { timestamp: kept } });
      expect(toJson(TaskSchema, fromBinary(TaskSchema, bytes))).toEqual({ status: { timestamp: kept } });
    }
    for (const odd of [
      "2025-02-30T00:00:00Z",
      "2025-10-28",
      "2025-10-28T10:30:00",
      "2025-10-28T25:00:00Z",
      "0000-01-01T00:00:00Z",
      7,
    ]) {
      const losses: Loss[] = [];
      encodeMessage(TaskSchema, { status: { timestamp: odd } }, losses);
      expect([odd, losses.length]).toEqual([odd, 1]);
    }
  });
});

describe("bytes that are no message of A2A", () => {
  const valid = encodeMessage(TaskSchema, {
    id: "1",
    status: { state: "TASK_STATE_WORKING", timestamp: "2025-10-28T10:30:00.123Z" },
    history: [{ messageId: "m", role: "ROLE_AGENT", parts: [{ data: { a: [1, "x", null] } }] }],
    metadata: { a: { b: true } },
  });

  it("are refused, or read as far as they make sense; never more than an error", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }),
          fc.tuple(fc.nat(valid.length - 1), fc.nat(255)).map(([at, value]) => valid.with(at, value)),
          fc.nat(valid.length).map((end) => valid.subarray(0, end)),
        ),
        (bytes) => {
          try {
            expect(isJsonObject(decodeMessage(TaskSchema, bytes, { fill: true }))).toBe(true);
          } catch (problem) {
            expect(problem).toBeInstanceOf(ProtoFormatError);
          }
        },
      ),
      { numRuns: propertyRuns(2000) },
    );
  });

  it("are refused when they are nested too deep, in either direction", () => {
    let deep: Json = {};
    for (let depth = 0; depth < 10_000; depth++) deep = [deep];
    expect(() => encodeMessage(TaskSchema, { metadata: { deep } })).toThrow(ProtoFormatError);
    expect(() => encodeMessage(TaskSchema, { history: [{ parts: [{ data: deep }] }] })).toThrow(
      /nested deeper/,
    );
  });

  it("are skipped where a later version may have added them, or a field has another type", () => {
    // Field 100 as number, text, group and 32 bits; field 1, a text, as a number.
    const later = [
      0xa0, 0x06, 1, 0xa2, 0x06, 1, 0x41, 0xa3, 0x06, 0x08, 1, 0xa4, 0x06, 0xa5, 0x06, 1, 2, 3, 4, 0x08, 9,
    ];
    expect(decodeMessage(TaskSchema, new Uint8Array([...later, 0x0a, 1, 0x42]), { fill: false })).toEqual({
      id: "B",
    });
  });

  it("are joined as protobuf has it: texts replaced, messages merged, the last content kept", () => {
    const pieces = [
      { id: "1", status: { state: "TASK_STATE_WORKING" } },
      { id: "2", status: { timestamp: "2025-10-28T10:30:00Z" } },
    ].map((piece) => encodeMessage(TaskSchema, piece));
    expect(decodeMessage(TaskSchema, Buffer.concat(pieces), { fill: false })).toEqual({
      id: "2",
      status: { state: "TASK_STATE_WORKING", timestamp: "2025-10-28T10:30:00Z" },
    });
    const frames = [{ message: { messageId: "m" } }, { task: { id: "1" } }].map((piece) =>
      encodeMessage(StreamResponseSchema, piece),
    );
    expect(decodeMessage(StreamResponseSchema, Buffer.concat(frames), { fill: false })).toEqual({
      task: { id: "1" },
    });
  });

  it("are refused when a time is out of its range", () => {
    const late = Buffer.from([0x1a, 10, 0x1a, 8, 0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]);
    expect(() => decodeMessage(TaskSchema, late, { fill: false })).toThrow(/Timestamp is out of range/);
  });
});

function roundTrip(schema: DescMessage, json: JsonObject): JsonObject {
  return decodeMessage(schema, encodeMessage(schema, json), { fill: false });
}
