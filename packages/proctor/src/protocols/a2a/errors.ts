// The errors of A2A: one table of codes, reasons and statuses for both versions and all bindings, read both ways. Specification 1.0,
// section 5.4; the patch levels 1.0.0 and 1.0.1 differ in some statuses.
import type { Json, JsonObject } from "../../core/json.ts";

export const PATCH_LEVELS = ["1.0.0", "1.0.1"] as const;
/** The patch level never travels; it says which statuses a server uses. */
export type PatchLevel = (typeof PATCH_LEVELS)[number];

interface ErrorRow {
  /** JSON-RPC code of the error. */
  code: number;
  /** HTTP status of the binding HTTP+JSON. */
  status: number;
  /** Code of gRPC, by its number, and by its name in `error.status` of HTTP+JSON. */
  grpc: number;
  grpcName: string;
  /** Values that 1.0.0 had instead. */
  before?: { status?: number; grpc?: number; grpcName?: string };
  message: string;
}

const UNIMPLEMENTED = { grpc: 12, grpcName: "UNIMPLEMENTED" };
const PRECONDITION = { grpc: 9, grpcName: "FAILED_PRECONDITION" };
const INVALID = { grpc: 3, grpcName: "INVALID_ARGUMENT" };
const INTERNAL = { grpc: 13, grpcName: "INTERNAL" };

/** Errors by `reason`, which is the error's name in the specification in upper snake case, without "Error". */
export const A2A_ERRORS = {
  TASK_NOT_FOUND: { code: -32001, status: 404, grpc: 5, grpcName: "NOT_FOUND", message: "Task not found" },
  TASK_NOT_CANCELABLE: {
    code: -32002,
    status: 400,
    ...PRECONDITION,
    before: { status: 409 },
    message: "Task cannot be canceled",
  },
  PUSH_NOTIFICATION_NOT_SUPPORTED: {
    code: -32003,
    status: 400,
    ...PRECONDITION,
    before: UNIMPLEMENTED,
    message: "Push notifications are not supported",
  },
  UNSUPPORTED_OPERATION: {
    code: -32004,
    status: 400,
    ...PRECONDITION,
    before: UNIMPLEMENTED,
    message: "This operation is not supported",
  },
  CONTENT_TYPE_NOT_SUPPORTED: {
    code: -32005,
    status: 400,
    ...INVALID,
    before: { status: 415 },
    message: "Incompatible content types",
  },
  INVALID_AGENT_RESPONSE: {
    code: -32006,
    status: 500,
    ...INTERNAL,
    before: { status: 502 },
    message: "The agent's response is invalid",
  },
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: {
    code: -32007,
    status: 400,
    ...PRECONDITION,
    message: "The agent has no extended card",
  },
  EXTENSION_SUPPORT_REQUIRED: {
    code: -32008,
    status: 400,
    ...PRECONDITION,
    message: "A required extension was not asked for",
  },
  VERSION_NOT_SUPPORTED: {
    code: -32009,
    status: 400,
    ...PRECONDITION,
    before: UNIMPLEMENTED,
    message: "This version of the protocol is not supported",
  },
  PARSE_ERROR: { code: -32700, status: 400, ...INVALID, message: "Invalid JSON payload" },
  INVALID_REQUEST: { code: -32600, status: 400, ...INVALID, message: "Request payload validation error" },
  METHOD_NOT_FOUND: { code: -32601, status: 404, ...UNIMPLEMENTED, message: "Method not found" },
  INVALID_PARAMS: { code: -32602, status: 400, ...INVALID, message: "Invalid parameters" },
  INTERNAL: { code: -32603, status: 500, ...INTERNAL, message: "Internal error" },
  UNAUTHENTICATED: {
    code: -32603,
    status: 401,
    grpc: 16,
    grpcName: "UNAUTHENTICATED",
    message: "Credentials are missing or wrong",
  },
  PERMISSION_DENIED: {
    code: -32603,
    status: 403,
    grpc: 7,
    grpcName: "PERMISSION_DENIED",
    message: "Not allowed",
  },
  RESOURCE_EXHAUSTED: {
    code: -32603,
    status: 429,
    grpc: 8,
    grpcName: "RESOURCE_EXHAUSTED",
    message: "Too much",
  },
  UNAVAILABLE: {
    code: -32603,
    status: 503,
    grpc: 14,
    grpcName: "UNAVAILABLE",
    message: "Not available at the moment",
  },
} as const satisfies Record<string, ErrorRow>;

export type A2aReason = keyof typeof A2A_ERRORS;

/** Field of a request that is wrong, and why: a `google.rpc.BadRequest.FieldViolation`. */
export interface FieldViolation extends JsonObject {
  field: string;
  description: string;
}

export interface A2aErrorOptions {
  fields?: readonly FieldViolation[];
  /** The `metadata` of the ErrorInfo. */
  metadata?: Readonly<Record<string, string>>;
  /** `data` or `details` of an error that came from a peer, kept as it was. */
  details?: readonly JsonObject[];
  /** `data` of a peer's JSON-RPC error that is not a list of objects, which 0.3 allows, kept as it was. */
  data?: Json;
  /** JSON-RPC code of a peer's error that is not in the table. */
  code?: number;
  /** Seconds after which the client may try again. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** Thrown by services; the bindings write it in their own forms. */
export class A2aError extends Error {
  override readonly name = "A2aError";
  readonly reason: A2aReason;
  readonly fields: readonly FieldViolation[];
  readonly options: A2aErrorOptions;

  constructor(
    reason: A2aReason,
    message: string = A2A_ERRORS[reason].message,
    options: A2aErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
    this.reason = reason;
    this.fields = options.fields ?? [];
    this.options = options;
  }

  get code(): number {
    return this.options.code ?? A2A_ERRORS[this.reason].code;
  }
}

/** HTTP status and gRPC code of an error, at a patch level. */
export function statusOf(
  reason: A2aReason,
  patch: PatchLevel,
): Pick<ErrorRow, "status" | "grpc" | "grpcName"> {
  const row: ErrorRow = A2A_ERRORS[reason];
  const { status, grpc, grpcName } = patch === "1.0.0" ? { ...row, ...row.before } : row;
  return { status, grpc, grpcName };
}

const BY_CODE = new Map<number, A2aReason>(
  // The first row of a code is the one that the code stands for: -32603 is INTERNAL.
  (Object.entries(A2A_ERRORS) as [A2aReason, ErrorRow][])
    .toReversed()
    .map(([reason, { code }]) => [code, reason]),
);

/** Returns the error that a JSON-RPC code stands for, in both versions. */
export function errorOfCode(code: number): A2aReason | undefined {
  return BY_CODE.get(code);
}

/** Returns the error that the `reason` of an ErrorInfo stands for. */
export function errorOfReason(reason: string): A2aReason | undefined {
  return Object.hasOwn(A2A_ERRORS, reason) ? (reason as A2aReason) : undefined;
}
