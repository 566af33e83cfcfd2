// What an MCP server says went wrong, as the failure of a run.
import { failure, type Failure } from "../../core/failure.ts";
import { isJsonObject, type Json } from "../../core/json.ts";
import { wholeText } from "../whole-text.ts";

/** Returns an error of JSON-RPC: the server did not call the tool. */
export function rpcFailure(error: Json | undefined): Failure {
  const { code, message } = isJsonObject(error) ? error : {};
  const said =
    typeof message === "string" && message !== "" ? wholeText(message) : "the server gave no reason";
  return failure("AGENT_FAILED", said, typeof code === "number" ? { rpc_code: code } : undefined);
}

/** Returns a result with `isError`: the tool was called, and failed. */
export function toolFailure(name: string, text: string): Failure {
  return failure("AGENT_FAILED", text.trim() === "" ? `the tool ${name} failed` : wholeText(text));
}

export function unusable(what: string): Failure {
  return failure(
    "INVALID_RESPONSE",
    `the server answered ${what}, and not as the Model Context Protocol says`,
  );
}
