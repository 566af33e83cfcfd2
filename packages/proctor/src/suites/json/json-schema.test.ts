import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json.ts";
import { TooSlowError } from "../../runtime/cpu-limit.ts";
import { compileSchema } from "./json-schema.ts";

const DRAFTS = [
  "http://json-schema.org/draft-07/schema#",
  "https://json-schema.org/draft/2020-12/schema",
] as const;

describe.each(DRAFTS)("a schema of %s", ($schema) => {
  const wrong = (): JsonObject => ({ $schema, type: "strnig" });
  const right = (type: string): JsonObject => ({ $schema, $id: "https://example.com/one", type });

  it("is refused when it is none, each time it is given, and says why", () => {
    for (let time = 0; time < 2; time++)
      expect(() => compileSchema(wrong())).toThrow(/^schema is invalid: data\/type must be/);
  });

  it("is compiled for itself: neither those that were refused nor those of the same name matter", () => {
    expect(() => compileSchema(wrong())).toThrow("schema is invalid");
    const text = compileSchema(right("string"));
    const number = compileSchema(right("number"));
    expect([text("x"), number(1)]).toEqual([undefined, undefined]);
    expect(text(1)?.message).toBe("the whole: must be string");
    expect(number("x")?.message).toBe("the whole: must be number");
  });

  it("is still told from what is none after one that took too long", () => {
    const properties = Object.fromEntries(
      Array.from({ length: 2000 }, (_, index) => [`p${index}`, { type: "string" }]),
    );
    expect(() => compileSchema({ $schema, type: "object", properties }, 1)).toThrow(TooSlowError);
    expect(() => compileSchema(wrong())).toThrow("schema is invalid");
    expect(compileSchema(right("string"))("x")).toBeUndefined();
  });
});
