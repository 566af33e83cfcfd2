import { fromBinary, fromJson, type JsonValue } from "@bufbuild/protobuf";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../core/json.ts";
import * as model from "../../../../test/support/a2a/model-arbitraries.ts";
import { sayable03 } from "../../../../test/support/a2a/sayable-0_3.ts";
import { propertyRuns } from "../../../../test/support/property-runs.ts";
import type { Loss, WireProblem } from "../codec.ts";
import type { PushConfig, StreamResponse } from "../model.ts";
import { decodeMessage } from "./decode.ts";
import { encodeMessage } from "./encode.ts";
import {
  AgentCardSchema,
  SendMessageRequestSchema,
  StreamResponseSchema,
  TaskPushNotificationConfigSchema,
} from "./gen/a2a/v1/a2a_pb.ts";
import { protoJson03 } from "./proto-json-0_3.ts";

describe("A2A 0.3 in ProtoJSON", () => {
  it("carries any frame that 0.3 can say, as JSON and as bytes", () => {
    fc.assert(
      fc.property(model.frame.map(sayable03), (frame) => {
        const losses: Loss[] = [];
        const json = protoJson03.encodeFrame(frame, losses);
        expect(protoJson03.decodeFrame(json)).toEqual(frame);
        const bytes = encodeMessage(StreamResponseSchema, json, losses);
        expect(protoJson03.decodeFrame(decodeMessage(StreamResponseSchema, bytes, { fill: true }))).toEqual(
          frame,
        );
        expect(losses).toEqual([]);
        // Parsers of ProtoJSON refuse what they do not know.
        fromJson(StreamResponseSchema, json as JsonValue);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it("carries any request that 0.3 can say, as JSON and as bytes", () => {
    fc.assert(
      fc.property(model.sendRequest.map(sayable03), (request) => {
        const losses: Loss[] = [];
        const json = protoJson03.encodeRequest("send", request, losses);
        // Whether a call waits is always said in the .proto.
        const expected = {
          ...request,
          configuration: { returnImmediately: false, ...request.configuration },
        };
        expect(protoJson03.decodeRequest("send", json)).toEqual(expected);
        const bytes = encodeMessage(SendMessageRequestSchema, json, losses);
        const read = decodeMessage(SendMessageRequestSchema, bytes, { fill: false });
        expect(protoJson03.decodeRequest("send", read)).toEqual(expected);
        expect(losses).toEqual([]);
        fromJson(SendMessageRequestSchema, json as JsonValue);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it("carries any push configuration and any card that 0.3 can say", () => {
    fc.assert(
      fc.property(model.pushConfig, model.card.map(sayable03), (config, card) => {
        const losses: Loss[] = [];
        const json = protoJson03.encodeResult("getPushConfig", config, losses) as JsonObject;
        const bytes = encodeMessage(TaskPushNotificationConfigSchema, json, losses);
        const read = decodeMessage(TaskPushNotificationConfigSchema, bytes, { fill: true });
        expect(protoJson03.decodeResult("getPushConfig", read)).toEqual(config);
        const cardJson = protoJson03.encodeCard(card, losses);
        expect(plain(protoJson03.decodeCard(cardJson))).toEqual(card);
        const cardBytes = encodeMessage(AgentCardSchema, cardJson, losses);
        const readCard = decodeMessage(AgentCardSchema, cardBytes, { fill: true });
        expect(plain(protoJson03.decodeCard(readCard))).toEqual(normalCard(card));
        expect(losses).toEqual([]);
        fromJson(AgentCardSchema, cardJson as JsonValue);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it("has the names of the .proto", () => {
    const task = {
      id: "t",
      contextId: "c",
      status: { state: "TASK_STATE_CANCELED" },
      history: [
        {
          messageId: "m",
          role: "ROLE_USER" as const,
          parts: [{ text: "a" }, { raw: "AAA=", mediaType: "image/png" }, { url: "u" }, { data: { a: 1 } }],
        },
      ],
    };
    expect(protoJson03.encodeResult("getTask", task)).toEqual({
      id: "t",
      contextId: "c",
      status: { state: "TASK_STATE_CANCELLED" },
      history: [
        {
          messageId: "m",
          role: "ROLE_USER",
          content: [
            { text: "a" },
            { file: { fileWithBytes: "AAA=", mimeType: "image/png" } },
            { file: { fileWithUri: "u" } },
            { data: { data: { a: 1 } } },
          ],
        },
      ],
    });
    const update = { taskId: "t", contextId: "c", status: { state: "TASK_STATE_COMPLETED" } };
    expect(protoJson03.encodeFrame({ statusUpdate: update })).toEqual({
      statusUpdate: { ...update, final: true },
    });
  });

  it("names resources by paths", () => {
    const ids = { taskId: "t", id: "c" };
    const config: PushConfig = { ...ids, url: "https://a.example", authentication: { scheme: "Bearer" } };
    const wire = {
      name: "tasks/t/pushNotificationConfigs/c",
      pushNotificationConfig: { id: "c", url: "https://a.example", authentication: { schemes: ["Bearer"] } },
    };
    expect(protoJson03.encodeRequest("getTask", { id: "t", historyLength: 2 })).toEqual({
      name: "tasks/t",
      historyLength: 2,
    });
    expect(protoJson03.encodeRequest("cancelTask", { id: "t" })).toEqual({ name: "tasks/t" });
    expect(protoJson03.encodeRequest("subscribe", { id: "t" })).toEqual({ name: "tasks/t" });
    expect(protoJson03.encodeRequest("getPushConfig", ids)).toEqual({ name: wire.name });
    expect(protoJson03.encodeRequest("deletePushConfig", ids)).toEqual({ name: wire.name });
    expect(protoJson03.encodeRequest("listPushConfigs", { taskId: "t" })).toEqual({ parent: "tasks/t" });
    expect(protoJson03.encodeRequest("createPushConfig", config)).toEqual({
      parent: "tasks/t",
      configId: "c",
      config: wire,
    });
    expect(protoJson03.encodeResult("createPushConfig", config)).toEqual(wire);
    expect(protoJson03.encodeResult("listPushConfigs", { configs: [config] })).toEqual({ configs: [wire] });
    expect(protoJson03.encodeResult("deletePushConfig", undefined)).toEqual({});
    for (const [operation, request] of [
      ["getTask", { id: "t", historyLength: 2 }],
      ["cancelTask", { id: "t" }],
      ["subscribe", { id: "a/b" }],
      ["getPushConfig", ids],
      ["deletePushConfig", ids],
      ["listPushConfigs", { taskId: "t" }],
      ["createPushConfig", config],
    ] as const) {
      const json = protoJson03.encodeRequest(operation, request);
      expect([operation, protoJson03.decodeRequest(operation, json)]).toEqual([operation, request]);
    }
  });

  it.each<[string, Json]>([
    ["the .proto", { parent: "tasks/t", configId: "c", config: { pushNotificationConfig: { url: "u" } } }],
    [
      "its HTTP annotation",
      { parent: "task/t/pushNotificationConfigs", pushNotificationConfig: { id: "c", url: "u" } },
    ],
    [
      "its text",
      { parent: "tasks/t", config: { taskId: "t", pushNotificationConfig: { id: "c", url: "u" } } },
    ],
    ["its JSON", { taskId: "t", pushNotificationConfig: { id: "c", url: "u" } }],
    [
      "its name",
      { config: { name: "tasks/t/pushNotificationConfigs/c", push_notification_config: { url: "u" } } },
    ],
    ["a flat body", { parent: "tasks/t", id: "c", url: "u" }],
  ])("takes a push configuration as %s has it", (_, params) => {
    expect(protoJson03.decodeRequest("createPushConfig", params)).toEqual({ taskId: "t", id: "c", url: "u" });
  });

  it("takes a push configuration whose authentication is empty, as ProtoJSON writes one without schemes", () => {
    const wire = { url: "u", authentication: {} };
    const params = { parent: "tasks/t", config_id: "c", config: { push_notification_config: wire } };
    const created = protoJson03.decodeRequest("createPushConfig", params);
    expect(created).toMatchObject({ taskId: "t", id: "c", url: "u" });
    expect(created).not.toHaveProperty("authentication");
    const message = { message_id: "m", role: "ROLE_USER", content: [{ text: "hi" }] };
    const sent = { message, configuration: { push_notification: wire } };
    const { configuration } = protoJson03.decodeRequest("send", sent);
    expect(configuration?.taskPushNotificationConfig).toMatchObject({ url: "u" });
    expect(configuration?.taskPushNotificationConfig).not.toHaveProperty("authentication");
  });

  it("takes messages in the form of 0.3's JSON, too", () => {
    const request = {
      message: {
        kind: "message",
        messageId: "m",
        role: "user",
        parts: [
          { kind: "text", text: "a" },
          { kind: "data", data: { data: 1 } },
        ],
      },
      configuration: { blocking: true },
    };
    expect(protoJson03.decodeRequest("send", request)).toEqual({
      message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "a" }, { data: { data: 1 } }] },
      configuration: { returnImmediately: false },
    });
    expect(protoJson03.decodeRequest("getTask", { id: "t" })).toEqual({ id: "t" });
    const task = { kind: "task", id: "t", contextId: "c", status: { state: "working" } };
    const read = { id: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" } };
    expect(protoJson03.decodeResult("getTask", task)).toEqual(read);
    expect(protoJson03.decodeResult("send", { task })).toEqual({ task: read });
    expect(protoJson03.decodeResult("send", task)).toEqual({ task: read });
    const data = {
      kind: "message",
      messageId: "m",
      role: "agent",
      parts: [{ kind: "data", data: { data: { a: 1 } } }],
    };
    expect(protoJson03.decodeFrame(data).message?.parts).toEqual([{ data: { data: { a: 1 } } }]);
  });

  it("takes every spelling of ProtoJSON: other names, numbers, null, the other base64", () => {
    const request = {
      message: {
        message_id: "m",
        role: 1,
        context_id: null,
        content: [{ file: { file_with_bytes: "-_8", mime_type: "a/b" } }],
      },
      configuration: {
        accepted_output_modes: ["text/plain"],
        history_length: 0,
        push_notification: { url: "u" },
      },
    };
    expect(protoJson03.decodeRequest("send", request)).toEqual({
      message: { messageId: "m", role: "ROLE_USER", parts: [{ raw: "+/8", mediaType: "a/b" }] },
      configuration: {
        acceptedOutputModes: ["text/plain"],
        returnImmediately: true,
        taskPushNotificationConfig: { url: "u" },
      },
    });
    const task = { id: "t", contextId: "c", status: { state: 5 } };
    expect(protoJson03.decodeResult("getTask", task).status.state).toBe("TASK_STATE_CANCELED");
  });

  it("keeps unknown fields, and the numbers of unknown states", () => {
    const frame = {
      task: { id: "t", contextId: "c", future: [1], status: { state: 42, mood: "good" }, history: [] },
    };
    const problems: WireProblem[] = [];
    const read = protoJson03.decodeFrame(frame, problems);
    expect(read).toEqual({
      task: { id: "t", contextId: "c", future: [1], status: { state: "42", mood: "good" }, history: [] },
    });
    expect(problems.map(({ path }) => path)).toEqual(["result.status.state"]);
    const written = encodeMessage(StreamResponseSchema, protoJson03.encodeFrame(read));
    expect(fromBinary(StreamResponseSchema, written).payload).toMatchObject({
      value: { status: { state: 42 } },
    });
  });

  it("notes what the .proto of 0.3 cannot say", () => {
    const losses: Loss[] = [];
    const write = (frame: StreamResponse): unknown =>
      encodeMessage(StreamResponseSchema, protoJson03.encodeFrame(frame, losses), losses, "result");
    write({
      message: {
        messageId: "m",
        role: "ROLE_AGENT",
        referenceTaskIds: ["t"],
        parts: [{ text: "a", mediaType: "a/b" }, { data: [1] }, { video: "x" }],
      },
    });
    write({ statusUpdate: { taskId: "t", contextId: "c", status: { state: "TASK_STATE_PAUSED" } } });
    protoJson03.encodeRequest("getTask", { id: "t", historyLength: 0 }, losses);
    expect(losses.map(({ path }) => path)).toEqual([
      "result.message.parts[0].mediaType",
      "result.message.parts[1].data",
      "result.message.parts[2]",
      "result.message.referenceTaskIds",
      "result.statusUpdate.status.state",
      "result.statusUpdate.status.state",
      "historyLength",
    ]);
  });

  it("refuses what is no request, and says which field is wrong", () => {
    expect(() => protoJson03.decodeRequest("getTask", { name: "t" })).toThrow(/name must be tasks\/\{id\}/);
    expect(() => protoJson03.decodeRequest("getPushConfig", { name: "tasks/t" })).toThrow(
      /name must be tasks/,
    );
    for (const params of [null, 7, "x", [], {}, { message: 7 }, { message: { content: {} } }]) {
      expect(() => protoJson03.decodeRequest("send", params)).toThrow(/message|parameters/);
    }
  });

  it("survives anything as an answer", () => {
    fc.assert(
      fc.property(fc.oneof(model.json, odd()), (value) => {
        for (const operation of ["send", "getTask", "getPushConfig", "listPushConfigs", "card"] as const) {
          try {
            protoJson03.decodeResult(operation, value);
          } catch (problem) {
            expect(problem).toMatchObject({ name: "A2aError", reason: "INVALID_AGENT_RESPONSE" });
          }
        }
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});

/** Something with the right names and anything in them. */
function odd(): fc.Arbitrary<Json> {
  const names = [
    "task",
    "message",
    "status",
    "content",
    "parts",
    "file",
    "data",
    "name",
    "configs",
    "security",
    "skills",
    "state",
  ];
  return fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      model.json,
      fc.array(tie("value"), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom(...names), tie("value"), { maxKeys: 4 }) as fc.Arbitrary<Json>,
    ),
  })).value;
}

/** Without what the .proto of 0.3 does not send: an empty text, and switches that are off. */
function normalCard({ documentationUrl, iconUrl, capabilities, ...rest }: JsonObject): JsonObject {
  const on = Object.entries(capabilities as JsonObject).filter(([, value]) => value !== false);
  const urls = Object.entries({ documentationUrl, iconUrl }).filter(
    ([, url]) => url !== "" && url !== undefined,
  );
  return { ...rest, ...Object.fromEntries(urls), capabilities: Object.fromEntries(on) };
}

/** Without what 0.3 said beside it, which is kept under a symbol. */
function plain(value: Json): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
