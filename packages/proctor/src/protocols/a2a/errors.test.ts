import { describe, expect, it } from "vitest";
import { A2A_ERRORS, errorOfCode, errorOfReason, statusOf, type A2aReason } from "./errors.ts";

/** Section 5.4: error, code, HTTP status and gRPC code of 1.0.1, then what 1.0.0 had instead. */
const TABLE: [A2aReason, number, number, string, number?, string?][] = [
  ["TASK_NOT_FOUND", -32001, 404, "NOT_FOUND"],
  ["TASK_NOT_CANCELABLE", -32002, 400, "FAILED_PRECONDITION", 409],
  ["PUSH_NOTIFICATION_NOT_SUPPORTED", -32003, 400, "FAILED_PRECONDITION", 400, "UNIMPLEMENTED"],
  ["UNSUPPORTED_OPERATION", -32004, 400, "FAILED_PRECONDITION", 400, "UNIMPLEMENTED"],
  ["CONTENT_TYPE_NOT_SUPPORTED", -32005, 400, "INVALID_ARGUMENT", 415],
  ["INVALID_AGENT_RESPONSE", -32006, 500, "INTERNAL", 502],
  ["EXTENDED_AGENT_CARD_NOT_CONFIGURED", -32007, 400, "FAILED_PRECONDITION"],
  ["EXTENSION_SUPPORT_REQUIRED", -32008, 400, "FAILED_PRECONDITION"],
  ["VERSION_NOT_SUPPORTED", -32009, 400, "FAILED_PRECONDITION", 400, "UNIMPLEMENTED"],
  ["PARSE_ERROR", -32700, 400, "INVALID_ARGUMENT"],
  ["INVALID_REQUEST", -32600, 400, "INVALID_ARGUMENT"],
  ["METHOD_NOT_FOUND", -32601, 404, "UNIMPLEMENTED"],
  ["INVALID_PARAMS", -32602, 400, "INVALID_ARGUMENT"],
  ["INTERNAL", -32603, 500, "INTERNAL"],
];
/** Errors that A2A leaves to HTTP and gRPC: in JSON-RPC they are internal errors. */
const BELOW: [A2aReason, number, string][] = [
  ["UNAUTHENTICATED", 401, "UNAUTHENTICATED"],
  ["PERMISSION_DENIED", 403, "PERMISSION_DENIED"],
  ["RESOURCE_EXHAUSTED", 429, "RESOURCE_EXHAUSTED"],
  ["UNAVAILABLE", 503, "UNAVAILABLE"],
];
/** google.rpc.Code. */
const GRPC: Record<string, number> = {
  INVALID_ARGUMENT: 3,
  NOT_FOUND: 5,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
};

describe("the errors of A2A", () => {
  it("are all in the tables of this test", () => {
    expect([...TABLE, ...BELOW].map(([reason]) => reason)).toEqual(Object.keys(A2A_ERRORS));
  });

  it.each(TABLE)("%s is %d", (reason, code, status, name, oldStatus = status, oldName = name) => {
    expect(A2A_ERRORS[reason].code).toBe(code);
    expect(errorOfCode(code)).toBe(reason);
    expect(errorOfReason(reason)).toBe(reason);
    expect(statusOf(reason, "1.0.1")).toEqual({ status, grpc: GRPC[name], grpcName: name });
    expect(statusOf(reason, "1.0.0")).toEqual({ status: oldStatus, grpc: GRPC[oldName], grpcName: oldName });
  });

  it.each(BELOW)("%s is told by its reason, with the status %d", (reason, status, name) => {
    expect(errorOfReason(reason)).toBe(reason);
    expect(errorOfCode(A2A_ERRORS[reason].code)).toBe("INTERNAL");
    expect(statusOf(reason, "1.0.1")).toEqual({ status, grpc: GRPC[name], grpcName: name });
  });

  it("do not include what an object inherits, nor codes of others", () => {
    expect(errorOfReason("constructor")).toBeUndefined();
    expect(errorOfReason("task_not_found")).toBeUndefined();
    expect(errorOfCode(-32099)).toBeUndefined();
  });
});
