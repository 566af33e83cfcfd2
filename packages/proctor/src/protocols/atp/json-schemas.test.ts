import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { atpJsonSchemas } from "../../../../../scripts/atp-json-schemas.ts";
import {
  documentSchema,
  judgeOf,
  mutatedMessages,
  validMessages,
  type MessageName,
} from "../../../test/support/atp/messages.ts";
import { atpEvent, atpRequest, atpResponse } from "./wire.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";

const strict = { request: atpRequest, response: atpResponse, event: atpEvent };
const names: MessageName[] = ["request", "response", "event"];
const SURE = { numRuns: propertyRuns(3000), seed: 20_250_121 };

describe.each(names)("one verdict on every %s: the document's schema, ours, and the parser", (name) => {
  const document = judgeOf(documentSchema(name));
  const exported = judgeOf(atpJsonSchemas[name]);
  const parser = (message: unknown): boolean => strict[name].safeParse(message).success;

  it("all take what the document allows", () => {
    fc.assert(
      fc.property(validMessages[name], (message) => {
        expect([document(message), exported(message), parser(message)]).toEqual([true, true, true]);
      }),
      { ...SURE, numRuns: propertyRuns(500) },
    );
  });

  it("all agree on mutations of it, good and bad", () => {
    let accepted = 0;
    fc.assert(
      fc.property(mutatedMessages(name), (message) => {
        const verdict = document(message);
        accepted += Number(verdict);
        expect([exported(message), parser(message)]).toEqual([verdict, verdict]);
      }),
      SURE,
    );
    expect(accepted).toBeGreaterThan(SURE.numRuns / 5);
    expect(accepted).toBeLessThan((SURE.numRuns * 4) / 5);
  });

  it("is called what the document calls it", () => {
    const { $schema, $id, title } = documentSchema(name);
    expect(atpJsonSchemas[name]).toMatchObject({ $schema, $id, title });
    expect(atpJsonSchemas[name]).toBe(atpJsonSchemas[name]);
  });
});

it("a number too large for JavaScript is refused, as ajv refuses it", () => {
  const message: unknown = JSON.parse(
    '{"version":"1.0","task_id":"550e8400-e29b-41d4-a716-446655440000","status":"completed","artifacts":[],"metrics":{"cost_usd":1e999}}',
  );
  expect(judgeOf(documentSchema("response"))(message)).toBe(false);
  expect(atpResponse.safeParse(message).success).toBe(false);
});
