// What we write, read by the official SDK, and the other way round. It forgets unknown fields and turns unknown states into one number,
// so that messages are compared as far as it understands them.
import * as sdk from "@a2a-js/sdk";
import { legacyPushNotificationToV1StreamResponse } from "@a2a-js/sdk/compat/v0_3";
import { parseLegacyAgentCard } from "@a2a-js/sdk/compat/v0_3/client";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cardsV03, framesV03 } from "../../../test/support/a2a/messages-v03.ts";
import { cardsV1, framesV1, requestsV1, resultsV1 } from "../../../test/support/a2a/messages-v1.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";
import type { Json } from "../../core/json.ts";
import type { Loss } from "./codec.ts";
import { v1 } from "./v1/codec.ts";
import { v03 } from "./v0_3/codec.ts";

const RUNS = { numRuns: propertyRuns(200) };
const copy = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

interface Type {
  fromJSON(value: unknown): unknown;
  toJSON(value: never): unknown;
}
/** As the SDK reads it and writes it again. */
const through = (type: Type, json: unknown): Json => copy(type.toJSON(type.fromJSON(json) as never));

const TYPES: [string, Type, fc.Arbitrary<object>, (json: Json) => unknown][] = [
  ["the request send", sdk.SendMessageRequest, requestsV1.send, (json) => v1.decodeRequest("send", json)],
  [
    "the request getTask",
    sdk.GetTaskRequest,
    requestsV1.getTask,
    (json) => v1.decodeRequest("getTask", json),
  ],
  [
    "the request listTasks",
    sdk.ListTasksRequest,
    requestsV1.listTasks,
    (json) => v1.decodeRequest("listTasks", json),
  ],
  [
    "the request cancelTask",
    sdk.CancelTaskRequest,
    requestsV1.cancelTask,
    (json) => v1.decodeRequest("cancelTask", json),
  ],
  [
    "the request createPushConfig",
    sdk.TaskPushNotificationConfig,
    requestsV1.createPushConfig,
    (json) => v1.decodeRequest("createPushConfig", json),
  ],
  ["the result of send", sdk.SendMessageResponse, resultsV1.send, (json) => v1.decodeResult("send", json)],
  ["the result of getTask", sdk.Task, resultsV1.getTask, (json) => v1.decodeResult("getTask", json)],
  [
    "the result of listTasks",
    sdk.ListTasksResponse,
    resultsV1.listTasks,
    (json) => v1.decodeResult("listTasks", json),
  ],
  ["a frame", sdk.StreamResponse, framesV1, (json) => v1.decodeFrame(json)],
  ["a card", sdk.AgentCard, cardsV1, (json) => v1.decodeCard(json)],
];

describe("the SDK's reader of A2A 1.0", () => {
  it.each(TYPES)(
    "finds in what we read and write what it finds in the original: %s",
    (_, type, messages, decode) => {
      fc.assert(
        fc.property(messages, (message) => {
          expect(through(type, copy(decode(copy(message))))).toEqual(through(type, message));
        }),
        RUNS,
      );
    },
  );
});

describe("the SDK's translation of A2A 0.3", () => {
  it("finds in a frame what ours finds", () => {
    fc.assert(
      fc.property(framesV03, (frame) => {
        fc.pre(!JSON.stringify(frame).includes('"video"') && !JSON.stringify(frame).includes('"paused"'));
        const theirs = copy(sdk.StreamResponse.toJSON(legacyPushNotificationToV1StreamResponse(copy(frame))));
        expect(through(sdk.StreamResponse, copy(v03.decodeFrame(copy(frame))))).toEqual(theirs);
      }),
      RUNS,
    );
  });

  it("finds in a frame that we carried down what was in it, unless a loss was reported", () => {
    fc.assert(
      fc.property(framesV1, (frame) => {
        const losses: Loss[] = [];
        const down = copy(v03.encodeFrame(v1.decodeFrame(copy(frame)), losses));
        fc.pre(losses.length === 0 && !JSON.stringify(frame).includes('"hologram"'));
        const theirs = copy(sdk.StreamResponse.toJSON(legacyPushNotificationToV1StreamResponse(down)));
        expect(theirs).toEqual(through(sdk.StreamResponse, frame));
      }),
      RUNS,
    );
  });

  it("reads the cards that we write as 0.3", () => {
    fc.assert(
      fc.property(cardsV03, (card) => {
        fc.pre(!JSON.stringify(card).includes('"quantum"'));
        const theirs = parseLegacyAgentCard(copy(v03.encodeCard(v03.decodeCard(copy(card)))));
        expect(theirs.supportedInterfaces[0]).toMatchObject({ url: (card as { url?: string }).url });
      }),
      RUNS,
    );
  });
});
