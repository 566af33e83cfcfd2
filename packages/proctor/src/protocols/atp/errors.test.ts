import { describe, expect, it } from "vitest";
import { FAILURES, type FailureCode } from "../../core/failure.ts";
import { ATP_ERROR_CODES, decodeFailure, encodeFailure } from "./errors.ts";

const codes = Object.keys(FAILURES) as FailureCode[];
const nameless = new Set<FailureCode>(["CANCELLED", "AGENT_FAILED", "NO_ANSWER", "REJECTED"]);

describe("error codes of ATP", () => {
  it("are all codes of ours as well", () => {
    for (const code of ATP_ERROR_CODES) expect(codes).toContain(code);
  });

  it.each(codes)("for %s are those of the document, or none, and lead back to it", (code) => {
    for (const details of [undefined, { stderr: "x" }, { code: 137, signal: null }]) {
      const failed = { code, message: "boom", ...(details && { details }) };
      const wire = encodeFailure(failed);
      if (nameless.has(code)) expect(wire).not.toHaveProperty("error_code");
      else expect(ATP_ERROR_CODES).toContain(wire.error_code);
      expect(wire.error).toBe("boom");
      if (wire.error_code !== code) expect(wire.error_details?.["code"]).toBe(code);
      expect(decodeFailure(wire.error, wire.error_code, wire.error_details)).toEqual(failed);
    }
  });

  it("of an agent's own are kept, and a missing one becomes AGENT_FAILED", () => {
    expect(decodeFailure("no", "MY_CODE", [1])).toEqual({
      code: "MY_CODE",
      message: "no",
      details: { value: [1] },
    });
    expect(decodeFailure(null, undefined, undefined)).toMatchObject({ code: "AGENT_FAILED" });
    expect(decodeFailure("no", "", null)).toEqual({ code: "AGENT_FAILED", message: "no" });
  });

  it("are not taken from details that an agent made up", () => {
    const details = { code: "ECONNRESET" };
    expect(decodeFailure("no", "INTERNAL_ERROR", details)).toEqual({
      code: "INTERNAL_ERROR",
      message: "no",
      details,
    });
  });
});
