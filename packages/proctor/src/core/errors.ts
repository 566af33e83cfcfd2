// The one catalogue of what can be wrong with a request, a file or the state of the hub. What an agent does wrong is
// not here: that is a Failure. Documented by code in docs/reference/errors.md.
import type { Json } from "./json.ts";

interface ErrorKind {
  status: number;
  exit: 1 | 2 | 3 | 130;
  retryable: boolean;
  meaning: string;
}

const kind = (status: number, exit: ErrorKind["exit"], meaning: string, retryable = false): ErrorKind => ({
  status,
  exit,
  retryable,
  meaning,
});

export const ERRORS = {
  INVALID_REQUEST: kind(400, 2, "the request is malformed; details name the field"),
  INVALID_CURSOR: kind(400, 2, "the cursor was not issued by this list"),
  PLAN_INVALID: kind(400, 2, "the plan cannot be carried out; details name the tasks"),
  UNKNOWN_SCHEME: kind(400, 2, "no protocol speaks this kind of address"),
  UNAUTHORIZED: kind(401, 2, "a valid bearer token is needed"),
  FORBIDDEN: kind(403, 2, "the request came from where it may not"),
  SCOPE_MISSING: kind(403, 2, "the token lacks the scope that this needs"),
  RUN_NOT_FOUND: kind(404, 2, "there is no such run"),
  TASK_NOT_FOUND: kind(404, 2, "there is no such task"),
  AGENT_NOT_FOUND: kind(404, 2, "there is no such agent"),
  WORKER_NOT_FOUND: kind(404, 2, "there is no such worker"),
  DOUBLE_NOT_FOUND: kind(404, 2, "there is no such double"),
  ARTIFACT_NOT_FOUND: kind(404, 2, "there is no such artifact"),
  STEP_NOT_FOUND: kind(404, 2, "there is no such step in this run"),
  QUESTION_NOT_FOUND: kind(404, 2, "the run never asked this question"),
  CONVERSATION_NOT_FOUND: kind(404, 2, "there is no such conversation"),
  GOAL_NOT_FOUND: kind(404, 2, "there is no such goal"),
  EVALUATION_NOT_FOUND: kind(404, 2, "there is no such evaluation"),
  TOKEN_NOT_FOUND: kind(404, 2, "there is no such token"),
  TOOL_NOT_FOUND: kind(404, 2, "there is no such tool"),
  MESSAGE_NOT_FOUND: kind(404, 2, "there is no such message"),
  CAPABILITY_NOT_FOUND: kind(404, 1, "no agent that can be reached has this capability for this input", true),
  NOT_FOUND: kind(404, 2, "there is nothing at this path"),
  REQUEST_TIMEOUT: kind(408, 1, "the request did not arrive in time", true),
  HEADERS_TOO_LARGE: kind(431, 2, "the request's headers are longer than the limit"),
  METHOD_NOT_ALLOWED: kind(405, 2, "the path exists, the method does not"),
  ILLEGAL_TRANSITION: kind(409, 2, "the run's status does not allow this"),
  IDEMPOTENCY_CONFLICT: kind(409, 2, "the idempotency key was used with another body"),
  AGENT_EXISTS: kind(409, 2, "an agent of this name exists"),
  TOOL_EXISTS: kind(409, 2, "a tool of this name exists"),
  EVALUATION_EXISTS: kind(409, 2, "there is an evaluation of this id"),
  EVALUATION_RUNNING: kind(409, 2, "another client records this evaluation"),
  LEASE_LOST: kind(
    409,
    2,
    "another instance of the agent has registered since, or the beat is from the past",
  ),
  MESSAGE_TOO_OLD: kind(409, 2, "the message is older than what can be told from a repeated one"),
  CHANGED_MEANWHILE: kind(409, 1, "somebody else changed the run meanwhile", true),
  RUN_ENDED: kind(409, 2, "the run has ended; another run can follow it"),
  ANSWERED_ALREADY: kind(409, 2, "the question is closed: somebody else was faster"),
  CONVERSATION_BUSY: kind(409, 1, "another run of this conversation has not ended", true),
  NOT_SUPPORTED: kind(409, 2, "the agent's protocol has no way to do this"),
  NAME_TAKEN: kind(409, 2, "a stored file has this name already"),
  LIMIT_REACHED: kind(409, 2, "no more of these are kept in this place"),
  NOT_ACCEPTABLE: kind(406, 2, "the answer exists in none of the accepted media types"),
  PAYLOAD_TOO_LARGE: kind(413, 2, "the body is larger than the limit"),
  UNSUPPORTED_MEDIA_TYPE: kind(415, 2, "the body's content type is not accepted here"),
  RANGE_NOT_SATISFIABLE: kind(416, 2, "the requested range is outside the artifact"),
  UPGRADE_REQUIRED: kind(426, 2, "this path is a WebSocket"),
  RATE_LIMITED: kind(429, 1, "too many requests; Retry-After says when to come back", true),
  INBOX_FULL: kind(429, 1, "the receiver's inbox is full", true),
  INTERNAL_ERROR: kind(500, 1, "a bug in Proctor; report it with its trace id"),
  STORE_UNAVAILABLE: kind(503, 1, "the store cannot be written or read now", true),
  NO_WORKER: kind(503, 2, "no worker carries out the runs of this database", true),
  SHUTTING_DOWN: kind(503, 1, "the hub is stopping", true),
  OWNER_SILENT: kind(504, 1, "the process that carries out the run did not react in time", true),
  LOOP_DETECTED: kind(508, 2, "these messages go round in circles"),
  STORE_FULL: kind(507, 1, "the disk or the database is full", true),
  USAGE: kind(400, 2, "the command line is wrong"),
  CONFIG_INVALID: kind(400, 2, "the configuration is wrong"),
  SUITE_INVALID: kind(400, 2, "the suite is wrong"),
  JUDGE_MISSING: kind(400, 3, "checks ask a judge, and none is configured"),
  FILE_UNREADABLE: kind(400, 2, "a file is missing or cannot be read"),
  DATA_DIR_LOCKED: kind(409, 2, "another process holds the data directory"),
  DATA_DIR_UNWRITABLE: kind(500, 2, "the data directory cannot be written"),
  DATABASE_TOO_NEW: kind(500, 2, "the database was written by a newer version"),
  DATABASE_CORRUPT: kind(500, 2, "the database file is damaged"),
  HUB_UNREACHABLE: kind(503, 2, "the hub does not answer", true),
  ENVIRONMENT_UNAVAILABLE: kind(400, 2, "this machine has no environment that gives what is asked for"),
  BUILD_FAILED: kind(400, 2, "an environment could not be built from its Dockerfile"),
  TASK_INVALID: kind(400, 2, "a terminal task's directory is wrong"),
  UNSAFE_BIND: kind(400, 2, "the hub may leave loopback only with a token"),
  INTERRUPTED: kind(500, 130, "somebody pressed Ctrl-C"),
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERRORS;

const BRAND = Symbol.for("proctor.error");

export class ProctorError extends Error {
  readonly code: ErrorCode;
  readonly details: Json | undefined;
  readonly [BRAND] = true;

  /** `message` says what and where; put what to do next on a second line. */
  constructor(code: ErrorCode, message: string, options: { details?: Json; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ProctorError";
    this.code = code;
    this.details = options.details;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  get exitCode(): number {
    return ERRORS[this.code].exit;
  }

  get retryable(): boolean {
    return ERRORS[this.code].retryable;
  }

  /** True across duplicated copies of this module. */
  static is(value: unknown): value is ProctorError {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}

export function runNotFound(id: string): ProctorError {
  return new ProctorError("RUN_NOT_FOUND", `there is no run ${id}`);
}

/** Only an ended run takes no more messages; what is said to it may begin another run. */
export function runEnded(id: string, status: string): ProctorError {
  const next = `A run that follows it goes on with the conversation: {"follows": "${id}"}.`;
  return new ProctorError("RUN_ENDED", `run ${id} is ${status}\n${next}`, {
    details: { run_id: id, status, follows: id },
  });
}

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}
