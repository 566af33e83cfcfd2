import { fromBinary, toBinary, toJson, fromJson } from "@bufbuild/protobuf";
import { StructSchema } from "@bufbuild/protobuf/wkt";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json.ts";
import { ProtoFormatError, ProtoReader } from "./proto-reader.ts";
import { ProtoWriter } from "./proto-writer.ts";
import { readStruct, writeStruct } from "./struct.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";

const objects = fc
  .dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue({ maxDepth: 5 }))
  .filter((object) => !JSON.stringify(object).includes("__proto__"))
  .map((object) => JSON.parse(JSON.stringify(object)) as JsonObject);

describe("a Struct", () => {
  it("is what protobuf's own library writes and reads", () => {
    fc.assert(
      fc.property(objects, (object) => {
        expect(toJson(StructSchema, fromBinary(StructSchema, write(object)))).toEqual(object);
        expect(read(toBinary(StructSchema, fromJson(StructSchema, object as never)))).toEqual(object);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it("holds texts and lists of any size", () => {
    for (const size of [0, 1, 39, 40, 41, 127, 128, 129, 16_383, 16_384, 300_000]) {
      const object = {
        text: "x".repeat(size),
        wide: "\u{1F642}".repeat(size),
        list: Array.from({ length: size }, () => 0),
      };
      expect(read(write(object))).toEqual(object);
    }
  });

  it("writes NaN and infinities as text", () => {
    const numbers = { a: Number.NaN, b: Number.POSITIVE_INFINITY, c: Number.NEGATIVE_INFINITY };
    expect(read(write(numbers))).toEqual({ a: "NaN", b: "Infinity", c: "-Infinity" });
  });

  it("is refused when it is cut anywhere", () => {
    const bytes = write({ a: [1, { b: "text" }, null, true], c: "x".repeat(200) });
    const whole = JSON.stringify(read(bytes));
    for (let end = 1; end < bytes.length; end++) {
      try {
        expect(JSON.stringify(read(bytes.subarray(0, end)))).not.toBe(whole);
      } catch (problem) {
        expect(problem).toBeInstanceOf(ProtoFormatError);
      }
    }
  });
});

function write(object: JsonObject): Uint8Array {
  const writer = new ProtoWriter();
  writeStruct(writer, object);
  return writer.finish();
}

function read(bytes: Uint8Array): JsonObject {
  const reader = new ProtoReader(bytes);
  return readStruct(reader, reader.end);
}
