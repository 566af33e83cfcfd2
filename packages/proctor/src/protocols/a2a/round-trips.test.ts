import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cardsV03,
  framesV03,
  laterFramesV03,
  requestsV03,
  resultsV03,
} from "../../../test/support/a2a/messages-v03.ts";
import { cardsV1, framesV1, requestsV1, resultsV1 } from "../../../test/support/a2a/messages-v1.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";
import type { Json } from "../../core/json.ts";
import { carry, type Carried } from "../../../test/support/a2a/carry.ts";
import type { RequestOperation, ResultOperation, WireProblem } from "./codec.ts";
import { codecOf } from "./codecs.ts";
import type { A2aVersion } from "./service.ts";

/** Operations whose messages have the form of another's. */
const SAME: ReadonlySet<string> = new Set([
  "stream",
  "result card",
  "result extendedCard",
  "result cancelTask",
  "result getPushConfig",
]);
const RUNS = { numRuns: propertyRuns(200) };

interface Family {
  name: string;
  what: Carried;
  messages: fc.Arbitrary<object>;
}

const V1 = familiesOf(requestsV1, resultsV1, framesV1, cardsV1);
const LATER: Family = { name: "a frame of a later version", what: "frame", messages: laterFramesV03 };
const V03 = familiesOf(requestsV03, resultsV03, framesV03, cardsV03);

describe("A2A 1.0, read and written again", () => {
  it.each(V1)("is the same object: $name", ({ what, messages }) => {
    fc.assert(
      fc.property(messages, (message) => {
        const { json, losses, problems } = carry(message as Json, what, "1.0", "1.0");
        expect(json).toBe(message);
        expect({ losses, problems }).toEqual({ losses: [], problems: [] });
      }),
      RUNS,
    );
  });
});

describe("A2A 0.3, read and written again", () => {
  it.each([...V03, LATER])("has lost nothing: $name", ({ what, messages }) => {
    fc.assert(
      fc.property(messages, (message) => {
        const { json, losses } = carry(message as Json, what, "0.3", "0.3");
        expect(json).toEqual(message);
        expect(losses).toEqual([]);
      }),
      RUNS,
    );
  });
});

describe("A2A 0.3 carried to 1.0", () => {
  it.each(V03)("is right there: $name", ({ what, messages }) => {
    fc.assert(
      fc.property(messages, (message) => {
        expect(wrongIn(message, what, "0.3", "1.0")).toEqual([]);
      }),
      RUNS,
    );
  });
});

describe("A2A 1.0 carried to 0.3", () => {
  it.each(V1)("is right there: $name", ({ what, messages }) => {
    fc.assert(
      fc.property(messages, (message) => {
        expect(wrongIn(message, what, "1.0", "0.3")).toEqual([]);
      }),
      RUNS,
    );
  });

  it.each(V1)("comes back as it was, unless a loss was reported: $name", ({ what, messages }) => {
    fc.assert(
      fc.property(messages, (message) => {
        const { json, losses } = carry(message as Json, what, "1.0", "0.3");
        if (losses.length > 0) return;
        expect(copy(carry(copy(json), what, "0.3", "1.0").json)).toEqual(message);
      }),
      RUNS,
    );
  });
});

/** What the other version's reader finds wrong with the carried message. A state that one version alone has is none of its mistakes. */
function wrongIn(message: object, what: Carried, from: A2aVersion, to: A2aVersion): WireProblem[] {
  const { json } = carry(message as Json, what, from, to);
  const { problems } = carry(copy(json), what, to, to);
  return problems.filter(({ path }) => !path.endsWith(".state"));
}

function copy(json: Json): Json {
  return JSON.parse(JSON.stringify(json)) as Json;
}

function familiesOf(
  requests: Partial<Record<RequestOperation, fc.Arbitrary<object>>>,
  results: Partial<Record<ResultOperation, fc.Arbitrary<object>>>,
  frames: fc.Arbitrary<object>,
  cards: fc.Arbitrary<object>,
): Family[] {
  const ofRequests = Object.entries(requests) as [RequestOperation, fc.Arbitrary<object>][];
  const ofResults = Object.entries(results) as [ResultOperation, fc.Arbitrary<object>][];
  return [
    ...ofRequests
      .filter(([request]) => !SAME.has(request))
      .map(([request, messages]) => ({ name: `the request ${request}`, what: { request }, messages })),
    ...ofResults
      .filter(([result]) => !SAME.has(`result ${result}`))
      .map(([result, messages]) => ({ name: `the result of ${result}`, what: { result }, messages })),
    { name: "a frame", what: "frame", messages: frames },
    { name: "a card", what: "card", messages: cards },
  ];
}

it("has a codec for each version", () => {
  expect(codecOf("1.0").version).toBe("1.0");
  expect(codecOf("0.3").version).toBe("0.3");
});
