// The name of the person who answers questions and sends messages from the command line.
import { userInfo } from "node:os";
import type { Answerer } from "../../../core/question.ts";
import type { CliIo } from "../../cli-io.ts";

export function person({ env }: CliIo): Answerer {
  const name = env["USER"] ?? systemName();
  return { kind: "human", ...(name !== undefined && name !== "" && { name }) };
}

/** Returns undefined for a user for whom the system has no name. */
function systemName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}
