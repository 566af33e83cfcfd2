import { fromJsonRpcErrorResponse, fromRestErrorBody } from "@a2a-js/sdk/errors";
import { describe, expect, it } from "vitest";
import type { Json } from "../../core/json.ts";
import { readHttpError, readRpcError, writeHttpError, writeRpcError } from "./error-form.ts";
import { A2A_ERRORS, A2aError, PATCH_LEVELS, type A2aReason } from "./errors.ts";
import { A2A_VERSIONS } from "./service.ts";

const REASONS = Object.keys(A2A_ERRORS) as A2aReason[];
const INFO = {
  "@type": "type.googleapis.com/google.rpc.ErrorInfo",
  reason: "TASK_NOT_FOUND",
  domain: "a2a-protocol.org",
  metadata: { taskId: "t" },
};
const VIOLATIONS = [{ field: "message.parts", description: "is missing" }];
const BAD_REQUEST = { "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: VIOLATIONS };
const copy = (json: Json): Json => JSON.parse(JSON.stringify(json)) as Json;

describe("an error in JSON-RPC", () => {
  it("has an ErrorInfo, and a BadRequest where fields are wrong", () => {
    expect(
      writeRpcError(new A2aError("TASK_NOT_FOUND", undefined, { metadata: { taskId: "t" } }), "1.0"),
    ).toEqual({
      code: -32001,
      message: "Task not found",
      data: [INFO],
    });
    expect(writeRpcError(new A2aError("INVALID_PARAMS", "No.", { fields: VIOLATIONS }), "1.0")).toEqual({
      code: -32602,
      message: "No.",
      data: [{ "@type": INFO["@type"], reason: "INVALID_PARAMS", domain: "a2a-protocol.org" }, BAD_REQUEST],
    });
  });

  it.each(REASONS.flatMap((reason) => A2A_VERSIONS.map((version) => [reason, version] as const)))(
    "comes back as it was: %s in %s",
    (reason, version) => {
      const options = { fields: VIOLATIONS, metadata: { a: "b" }, retryAfterSeconds: 1.5 };
      const back = readRpcError(copy(writeRpcError(new A2aError(reason, "Words", options), version)));
      expect(back).toMatchObject({
        reason,
        message: "Words",
        code: A2A_ERRORS[reason].code,
        fields: VIOLATIONS,
      });
      expect(back.options).toMatchObject({ metadata: { a: "b" }, retryAfterSeconds: 1.5 });
    },
  );

  it("of a peer is written as it was: unknown code, details, and what is free in 0.3", () => {
    const later = { code: -32010, message: "Generation mismatch", data: [{ "@type": "x/y", a: 1 }] };
    const error = readRpcError(later);
    expect(error).toMatchObject({ reason: "INTERNAL", code: -32010 });
    expect(writeRpcError(error, "1.0")).toMatchObject({
      code: -32010,
      data: [later.data[0], { reason: "INTERNAL" }],
    });
    const free = { code: -32001, message: "Gone", data: "task t" };
    expect(writeRpcError(readRpcError(free), "0.3")).toEqual(free);
    expect(writeRpcError(readRpcError(free), "1.0")["data"]).toContainEqual({
      "@type": "type.googleapis.com/google.protobuf.Value",
      value: "task t",
    });
  });

  it("is told by the reason before the code, and only by a reason of A2A", () => {
    const error = (info: object) =>
      readRpcError({ code: -32603, message: "x", data: [{ ...INFO, ...info }] });
    expect(error({}).reason).toBe("TASK_NOT_FOUND");
    expect(error({ domain: "example.com" }).reason).toBe("INTERNAL");
    expect(error({ reason: "QUOTA" }).reason).toBe("INTERNAL");
    expect(error({ "@type": "google.rpc.ErrorInfo" }).reason).toBe("TASK_NOT_FOUND");
  });

  it.each<[string, Json]>([
    ["null", null],
    ["a text", "boom"],
    ["an empty object", {}],
    ["fields of other types", { code: "x", message: 5, data: { fieldViolations: 1 } }],
    [
      "details of other types",
      {
        code: -32603,
        data: [
          { ...BAD_REQUEST, fieldViolations: [1, {}] },
          { ...INFO, metadata: [], reason: 5 },
        ],
      },
    ],
  ])("that is garbage is still an error: %s", (_, value) => {
    expect(readRpcError(value)).toMatchObject({ reason: "INTERNAL", message: "Internal error" });
  });

  it.each(REASONS.filter((reason) => A2A_ERRORS[reason].code > -32100))(
    "is understood by the SDK: %s",
    (reason) => {
      const error = copy(writeRpcError(new A2aError(reason), "1.0"));
      const read = fromJsonRpcErrorResponse({ jsonrpc: "2.0", id: 1, error } as never);
      expect(read.message).toContain(A2A_ERRORS[reason].message);
      expect(read.constructor.name.replaceAll(/^JsonRpc|Error$/g, "").toUpperCase()).toBe(
        reason.replaceAll("_", ""),
      );
    },
  );
});

describe("an error in HTTP+JSON", () => {
  it("is a google.rpc.Status in 1.0, and JSON-RPC's object in 0.3", () => {
    const error = new A2aError("TASK_NOT_FOUND", undefined, { metadata: { taskId: "t" } });
    expect(writeHttpError(error, "1.0", "1.0.1")).toEqual({
      status: 404,
      body: { error: { code: 404, status: "NOT_FOUND", message: "Task not found", details: [INFO] } },
    });
    expect(writeHttpError(error, "0.3", "1.0.1")).toEqual({
      status: 404,
      body: { code: -32001, type: "TaskNotFoundError", message: "Task not found", data: [INFO] },
    });
  });

  it("has the status of its patch level", () => {
    const statuses = PATCH_LEVELS.map(
      (patch) => writeHttpError(new A2aError("TASK_NOT_CANCELABLE"), "1.0", patch).status,
    );
    expect(statuses).toEqual([409, 400]);
  });

  it.each(REASONS.flatMap((reason) => A2A_VERSIONS.map((version) => [reason, version] as const)))(
    "comes back as it was: %s in %s",
    (reason, version) => {
      const { status, body } = writeHttpError(
        new A2aError(reason, "Words", { fields: VIOLATIONS }),
        version,
        "1.0.0",
      );
      expect(readHttpError(status, copy(body))).toMatchObject({
        reason,
        message: "Words",
        fields: VIOLATIONS,
      });
    },
  );

  it.each<[number, Json | undefined, A2aReason]>([
    [404, undefined, "INTERNAL"],
    [404, { error: { code: 404, status: "NOT_FOUND", message: "x" } }, "INTERNAL"],
    [400, { error: { code: 400, message: "x", details: [BAD_REQUEST] } }, "INVALID_PARAMS"],
    [500, { code: -32001, message: "x" }, "TASK_NOT_FOUND"],
    [404, { type: "TaskNotFoundError", message: "x" }, "TASK_NOT_FOUND"],
    [400, { type: "about:blank", title: "x" }, "INTERNAL"],
    [401, undefined, "UNAUTHENTICATED"],
    [403, { detail: "no" }, "PERMISSION_DENIED"],
    [429, "slow down", "RESOURCE_EXHAUSTED"],
    [503, null, "UNAVAILABLE"],
  ])("is not told by the status of an operation: %d %j is %s", (status, body, reason) => {
    expect(readHttpError(status, body).reason).toBe(reason);
  });

  it("says its status where it says nothing else", () => {
    expect(readHttpError(418, undefined).message).toBe("HTTP status 418");
  });

  it.each(REASONS.filter((reason) => A2A_ERRORS[reason].code > -32100))(
    "is understood by the SDK too: %s",
    (reason) => {
      const { status, body } = writeHttpError(new A2aError(reason), "1.0", "1.0.1");
      const { error } = copy(body) as { error: object };
      const read = fromRestErrorBody(error, { statusCode: status });
      expect(read.constructor.name.replaceAll(/^Rest|Error$/g, "").toUpperCase()).toBe(
        reason.replaceAll("_", ""),
      );
    },
  );
});
