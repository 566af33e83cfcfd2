import { Role, type SendMessageRequest, StreamResponse } from "@a2a-js/sdk";
import { LegacyRestTransport } from "@a2a-js/sdk/compat/v0_3/client";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cardsV03, framesV03, requestsV03, resultsV03 } from "../../../../test/support/a2a/messages-v03.ts";
import { propertyRuns } from "../../../../test/support/property-runs.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import type { RequestOperation, ResultOperation } from "../codec.ts";
import { codecOf } from "../codecs.ts";
import type { A2aTask } from "../model.ts";
import { v03 } from "./codec.ts";
import { v03Http } from "./http-codec.ts";

const RUNS = { numRuns: propertyRuns(200) };
const copy = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

const TASK = {
  id: "t",
  contextId: "c",
  status: {
    state: "TASK_STATE_CANCELLED",
    message: { messageId: "m", role: "ROLE_AGENT", content: [{ text: "stopped" }] },
  },
  artifacts: [
    {
      artifactId: "a",
      parts: [
        { file: { fileWithBytes: "aGk=", mimeType: "text/plain" } },
        { file: { fileWithUri: "https://a.example" } },
        { data: { data: { a: 1 } } },
      ],
    },
  ],
};
const TASK_INSIDE: A2aTask = {
  id: "t",
  contextId: "c",
  status: {
    state: "TASK_STATE_CANCELED",
    message: { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "stopped" }] },
  },
  artifacts: [
    {
      artifactId: "a",
      parts: [{ raw: "aGk=", mediaType: "text/plain" }, { url: "https://a.example" }, { data: { a: 1 } }],
    },
  ],
};

describe("A2A 0.3 in HTTP+JSON", () => {
  it("has the messages of the .proto", () => {
    expect(codecOf("0.3", "HTTP+JSON")).toBe(v03Http);
    expect(v03Http.decodeResult("send", { task: TASK })).toEqual({ task: TASK_INSIDE });
    expect(v03Http.encodeResult("send", { task: TASK_INSIDE })).toEqual({ task: TASK });
    const frame = {
      statusUpdate: { taskId: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" }, final: false },
    };
    expect(v03Http.encodeFrame(v03Http.decodeFrame(frame))).toEqual(frame);
  });

  it("asks in the words of the .proto", () => {
    const request = {
      message: { messageId: "m", role: "ROLE_USER", content: [{ text: "hi" }] },
      configuration: { blocking: false, pushNotification: { url: "u" } },
    };
    const decoded = v03Http.decodeRequest("send", request);
    expect(decoded.configuration).toEqual({
      returnImmediately: true,
      taskPushNotificationConfig: { url: "u" },
    });
    expect(v03Http.encodeRequest("send", decoded)).toEqual(request);
  });

  it("names push configurations by paths", () => {
    const config = {
      name: "tasks/t/pushNotificationConfigs/p",
      pushNotificationConfig: { id: "p", url: "u" },
    };
    const model = { taskId: "t", id: "p", url: "u" };
    expect(v03Http.decodeRequest("createPushConfig", config)).toEqual(model);
    expect(v03Http.encodeRequest("createPushConfig", model)).toEqual(config);
    expect(v03Http.decodeResult("listPushConfigs", { configs: [config] })).toEqual({ configs: [model] });
    expect(v03Http.encodeResult("listPushConfigs", { configs: [model] })).toEqual({ configs: [config] });
  });

  it.each(Object.entries(requestsV03))(
    "takes the form of JSON-RPC as well: the request %s",
    (operation, messages) => {
      fc.assert(
        fc.property(messages, (message) => {
          const name = operation as RequestOperation;
          expect(v03Http.decodeRequest(name, copy(message))).toEqual(v03.decodeRequest(name, copy(message)));
        }),
        RUNS,
      );
    },
  );

  it.each(Object.entries(resultsV03))(
    "loses nothing in its own form: the result of %s",
    (operation, messages) => {
      fc.assert(
        fc.property(messages, (message) => {
          fc.pre(!hasTwoContents(message));
          const name = operation as ResultOperation;
          const model = v03.decodeResult(name, copy(message));
          const back = v03Http.decodeResult(name, copy(v03Http.encodeResult(name, model)));
          expect(copy(back)).toEqual(copy(model));
        }),
        RUNS,
      );
    },
  );

  it("loses nothing in its own form: a frame, and a card", () => {
    fc.assert(
      fc.property(framesV03, cardsV03, (frame, card) => {
        fc.pre(!hasTwoContents(frame));
        const event = v03.decodeFrame(copy(frame));
        expect(copy(v03Http.decodeFrame(copy(v03Http.encodeFrame(event))))).toEqual(copy(event));
        const model = v03.decodeCard(copy(card));
        expect(copy(v03Http.decodeCard(copy(v03Http.encodeCard(model))))).toEqual(copy(model));
      }),
      RUNS,
    );
  });
});

describe("the SDK's client of A2A 0.3 in HTTP+JSON", () => {
  it("is understood, and understands", async () => {
    const sent: Json[] = [];
    const client = new LegacyRestTransport({
      endpoint: "http://a.example",
      fetchImpl: (_url, init) => {
        sent.push(JSON.parse(init?.body as string) as Json);
        return Promise.resolve(Response.json(v03Http.encodeResult("send", { task: TASK_INSIDE })));
      },
    });
    const request = {
      message: {
        messageId: "m",
        role: Role.ROLE_USER,
        parts: [textPart("hi")],
        contextId: "",
        taskId: "",
        extensions: [],
        referenceTaskIds: [],
      },
    };
    const task = await client.sendMessage(request as unknown as SendMessageRequest);
    expect(v03Http.decodeRequest("send", sent[0] ?? null)).toMatchObject({
      message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] },
    });
    expect(StreamResponse.toJSON({ payload: { $case: "task", value: task as never } })).toEqual({
      task: TASK_INSIDE,
    });
  });
});

/** Whether a part has a field that nobody knows under the name of another content: it has no place here. */
function hasTwoContents(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const contents = ["text", "file", "data"].filter((name) => name in value);
  return ("kind" in value && contents.length > 1) || Object.values(value).some(hasTwoContents);
}

function textPart(text: string): JsonObject {
  return { content: { $case: "text", value: text }, filename: "", mediaType: "" };
}
