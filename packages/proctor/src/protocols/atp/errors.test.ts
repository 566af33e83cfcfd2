import { describe, expect, it } from "vitest";
import { FAILURES, type FailureCode } from "../../core/failure.ts";
import { ATP_ERROR_CODES, decodeFailure, encodeFailure } from "./errors.ts";

const codes = Object.keys(FAILURES) as FailureCode[];

describe("codes both ways", () => {
  it("every standard code of the document is one of ours", () => {
    for (const code of ATP_ERROR_CODES) expect(codes).toContain(code);
  });

  it.each(codes)("%s becomes a code of the document, or none, and itself again", (code) => {
    for (const details of [undefined, { stderr: "x" }, { code: 137, signal: null }]) {
      const failed = { code, message: "boom", ...(details && { details }) };
      const wire = encodeFailure(failed);
      if (code === "CANCELLED" || code === "AGENT_FAILED") expect(wire).not.toHaveProperty("error_code");
      else expect(ATP_ERROR_CODES).toContain(wire.error_code);
      expect(wire.error).toBe("boom");
      if (wire.error_code !== code) expect(wire.error_details?.["code"]).toBe(code);
      expect(decodeFailure(wire.error, wire.error_code, wire.error_details)).toEqual(failed);
    }
  });

  it("keeps what an agent calls its failure, and names what has no name", () => {
    expect(decodeFailure("no", "MY_CODE", [1])).toEqual({
      code: "MY_CODE",
      message: "no",
      details: { value: [1] },
    });
    expect(decodeFailure(null, undefined, undefined)).toMatchObject({ code: "AGENT_FAILED" });
    expect(decodeFailure("no", "", null)).toEqual({ code: "AGENT_FAILED", message: "no" });
  });

  it("takes no stranger's detail for a code of ours", () => {
    const details = { code: "ECONNRESET" };
    expect(decodeFailure("no", "INTERNAL_ERROR", details)).toEqual({
      code: "INTERNAL_ERROR",
      message: "no",
      details,
    });
  });
});
