// Who answers and says something at the command line.
import { userInfo } from "node:os";
import type { Answerer } from "../../../core/question.ts";
import type { CliIo } from "../../cli-io.ts";

export function person({ env }: CliIo): Answerer {
  const name = env["USER"] ?? systemName();
  return { kind: "human", ...(name !== undefined && name !== "" && { name }) };
}

/** Undefined for a user whom the system has no name for. */
function systemName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}
