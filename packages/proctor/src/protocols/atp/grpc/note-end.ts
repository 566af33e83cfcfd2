// How a call ended, as a recording has it, and the same problem from a recording.
import { ConnectError } from "@connectrpc/connect";
import { isSaid, messageOf, nodeCode } from "../../../channels/grpc/call-failure.ts";
import type { WireMessage } from "../../../core/recording.ts";
import type { WireTap } from "../../wire-tap.ts";
import { ATP_ERROR_METADATA } from "./status.ts";

export function noteEnd(problem: unknown, tap: WireTap): void {
  if (problem === undefined) return tap.received("close", "", { name: "end" });
  const error = ConnectError.from(problem);
  const said = isSaid(error);
  const id = said ? error.metadata.get(ATP_ERROR_METADATA) : nodeCode(error);
  tap.received("close", messageOf(error), {
    name: said ? "said" : "seen",
    status: error.code,
    ...(id != null && { id }),
  });
}

/** Returns undefined for a call that ended well. */
export function recordedProblem({ name, text, status = 2, id }: WireMessage): ConnectError | undefined {
  if (name === "end") return undefined;
  const metadata = new Headers();
  if (name === "said") {
    metadata.set("grpc-status", String(status));
    if (id !== undefined) metadata.set(ATP_ERROR_METADATA, id);
  }
  const cause =
    name === "said" || id === undefined ? undefined : Object.assign(new Error(text), { code: id });
  return new ConnectError(text, status, metadata, undefined, cause);
}
