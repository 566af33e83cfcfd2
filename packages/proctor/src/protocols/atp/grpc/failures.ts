// How a call to an agent went wrong, as the end of its run. What the agent itself says (a status) is told from what happened
// to the connection, because only the latter leaves open what became of the task.
import { Code, ConnectError } from "@connectrpc/connect";
import { brokenCall, httpStatusOf, isSaid, messageOf } from "../../../channels/grpc/call-failure.ts";
import { failure } from "../../../core/failure.ts";
import type { AgentEnd } from "../../../core/ports/driver.ts";
import { ATP_ERROR_CODES } from "../errors.ts";
import { ATP_ERROR_METADATA, meaningOf } from "./status.ts";

/** Returns true when the agent lacks this method. HTTP servers without gRPC say so with 404. */
export function isAbsent(problem: unknown): boolean {
  return (
    problem instanceof ConnectError &&
    problem.code === Code.Unimplemented &&
    (isSaid(problem) || httpStatusOf(problem) !== undefined)
  );
}

/** With `heard`, a message of the task had already come. */
export function endOf(problem: unknown, origin: string, heard: boolean): AgentEnd {
  const error = ConnectError.from(problem);
  if (error.code === Code.DeadlineExceeded) {
    return {
      status: "timeout",
      failure: failure("TIMEOUT", `the call's deadline passed: ${messageOf(error)}`),
    };
  }
  if (isSaid(error)) return endSaid(error, heard);
  return { status: "failed", failure: brokenCall(error, origin) };
}

/** Returns the end that a status of the agent means. */
function endSaid(error: ConnectError, heard: boolean): AgentEnd {
  const { name, failure: byTable } = meaningOf(error.code);
  if (byTable === null) return { status: "cancelled" };
  const own = ATP_ERROR_CODES.find((code) => code === error.metadata.get(ATP_ERROR_METADATA));
  const unavailable = error.code === Code.Unavailable;
  const code = unavailable && heard ? "CONNECTION_LOST" : unavailable ? byTable : (own ?? byTable);
  const said = messageOf(error);
  const message = `the agent answered ${name}${said === "" ? "" : `: ${said}`}`;
  return { status: "failed", failure: failure(code, message, { grpc_status: name }) };
}
