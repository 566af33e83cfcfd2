// What the generators of A2A's messages are made of: objects that also have fields which nobody knows, among them the names that the other
// version knows at that place, which is where a translation goes wrong.
import * as fc from "fast-check";
import type { Json, JsonObject } from "../../../src/core/json.ts";

export const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
export const anyObject = fc.dictionary(fc.string({ maxLength: 6 }), json, {
  maxKeys: 3,
}) as fc.Arbitrary<JsonObject>;
export const id = fc.string({ minLength: 1, maxLength: 8 });
export const words = fc.string({ maxLength: 12 });
export const texts = fc.array(words, { maxLength: 3 });
export const filledTexts = fc.array(words, { minLength: 1, maxLength: 3 });
export const base64 = fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString("base64"));

/** Names that have a meaning somewhere, in one of the versions. */
const TAKEN =
  "text raw url data filename mediaType metadata kind file bytes uri name mimeType final status task message statusUpdate artifactUpdate" +
  " tenant taskId contextId id blocking returnImmediately pushNotificationConfig taskPushNotificationConfig scheme schemes type in location" +
  " transport protocolBinding protocolVersion preferredTransport additionalInterfaces supportedInterfaces security securityRequirements" +
  " signatures extendedAgentCard supportsAuthenticatedExtendedCard stateTransitionHistory deviceCode pkceRequired flows pageSize pageToken" +
  " pushNotificationConfigId nextPageToken configs outer parts role __proto__";
const NAMES = [...TAKEN.split(" "), "x", "later", "$0.3"];

/** An object with these fields, and others that nobody knows; `free` are names of 1.0 and 0.3 that no generator may use there. */
export function open(
  fields: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  options: { required: readonly string[]; not?: readonly string[] },
): fc.Arbitrary<JsonObject> {
  const known = new Set([...Object.keys(fields), ...(options.not ?? [])]);
  const name = fc.constantFrom(...NAMES.filter((candidate) => !known.has(candidate)));
  const unknown = fc.uniqueArray(fc.tuple(name, json), { maxLength: 2, selector: ([key]) => key });
  return fc
    .tuple(fc.record(fields, { requiredKeys: [...options.required] }), unknown)
    .map(([given, more]) => plain([...Object.entries(given), ...more]));
}

/** As JSON.parse makes it: with the prototype of every object, and `__proto__` as a field like any other. */
function plain(entries: [string, unknown][]): JsonObject {
  return JSON.parse(JSON.stringify(Object.fromEntries(entries))) as JsonObject;
}

export function list<T>(entry: fc.Arbitrary<T>, minLength = 0): fc.Arbitrary<T[]> {
  return fc.array(entry, { minLength, maxLength: 2 });
}

export function named<T>(entry: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> {
  return fc.dictionary(fc.string({ minLength: 1, maxLength: 5 }), entry, { maxKeys: 3 });
}
