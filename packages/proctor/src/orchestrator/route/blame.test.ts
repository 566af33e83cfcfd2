import { describe, expect, it } from "vitest";
import { failure, type FailureCode } from "../../core/failure.ts";
import type { RunStatus } from "../../core/run.ts";
import { verdictOfEnd } from "./blame.ts";

function verdict(status: RunStatus, code?: FailureCode): boolean | null {
  return verdictOfEnd({ status, failure: code === undefined ? null : failure(code, "x") });
}

describe("the end of a run speaks", () => {
  it.each(["completed", "partial"] as const)("for its agent when it is %s", (status) => {
    expect(verdict(status)).toBe(true);
  });

  it.each(["AGENT_CRASHED", "UNREACHABLE", "AGENT_FAILED", "INVALID_RESPONSE", "TIMEOUT"] as const)(
    "against its agent when it failed with %s",
    (code) => expect(verdict("failed", code)).toBe(false),
  );

  it.each(["INTERRUPTED", "WORKSPACE_FAILED", "INVALID_REQUEST", "BUDGET_EXCEEDED", "NO_ANSWER"] as const)(
    "neither for nor against its agent when it failed with %s",
    (code) => expect(verdict("failed", code)).toBeNull(),
  );

  it("neither for nor against its agent when it was cancelled", () => {
    expect(verdict("cancelled", "CANCELLED")).toBeNull();
  });
});
