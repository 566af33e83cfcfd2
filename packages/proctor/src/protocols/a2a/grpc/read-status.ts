// How a call to an agent ended, as an A2aError: by the ErrorInfo of its status, by its code where there is none, or by what became of the
// connection.
import { Code, ConnectError } from "@connectrpc/connect";
import { brokenCall, isSaid, messageOf } from "../../../channels/grpc/call-failure.ts";
import type { JsonObject } from "../../../core/json.ts";
import { readDetails } from "../error-details.ts";
import { namedError } from "../error-names.ts";
import { A2aError, A2A_ERRORS, type A2aReason } from "../errors.ts";
import type { A2aOperation } from "../service.ts";
import { transportError } from "../client/transport-failure.ts";
import { decodeDetail } from "./status-details.ts";

const BY_CODE: Partial<Record<Code, A2aReason>> = {
  [Code.InvalidArgument]: "INVALID_PARAMS",
  [Code.NotFound]: "TASK_NOT_FOUND",
  [Code.PermissionDenied]: "PERMISSION_DENIED",
  [Code.ResourceExhausted]: "RESOURCE_EXHAUSTED",
  [Code.Unavailable]: "UNAVAILABLE",
  [Code.DeadlineExceeded]: "UNAVAILABLE",
  [Code.Canceled]: "UNAVAILABLE",
  [Code.Unauthenticated]: "UNAUTHENTICATED",
};
/** Meaning of a failed precondition or a missing method for each operation. */
const REFUSED: Partial<Record<A2aOperation, A2aReason>> = {
  createPushConfig: "PUSH_NOTIFICATION_NOT_SUPPORTED",
  getPushConfig: "PUSH_NOTIFICATION_NOT_SUPPORTED",
  listPushConfigs: "PUSH_NOTIFICATION_NOT_SUPPORTED",
  deletePushConfig: "PUSH_NOTIFICATION_NOT_SUPPORTED",
};

/** `origin` names the agent in messages. */
export function readStatus(problem: unknown, operation: A2aOperation, origin: string): A2aError {
  if (problem instanceof A2aError) return problem;
  const error = ConnectError.from(problem);
  if (!isSaid(error)) return transportError(brokenCall(error, origin));
  const details: JsonObject[] = error.details.flatMap((detail) =>
    "type" in detail ? [decodeDetail(detail)] : [],
  );
  const { reason, options } = readDetails(details.length === 0 ? undefined : details);
  const said = messageOf(error);
  // Agents of 0.3 put the error's name before the message.
  const named = namedError(said);
  const meant = reason ?? named?.reason ?? reasonOf(error.code, operation);
  const words = named?.reason === meant ? named.rest : said;
  return new A2aError(meant, words === "" ? A2A_ERRORS[meant].message : words, { ...options, cause: error });
}

function reasonOf(code: Code, operation: A2aOperation): A2aReason {
  if (code === Code.FailedPrecondition) {
    if (operation === "cancelTask") return "TASK_NOT_CANCELABLE";
    if (operation === "extendedCard") return "EXTENDED_AGENT_CARD_NOT_CONFIGURED";
  }
  if (code === Code.FailedPrecondition || code === Code.Unimplemented)
    return REFUSED[operation] ?? "UNSUPPORTED_OPERATION";
  return BY_CODE[code] ?? "INTERNAL";
}
