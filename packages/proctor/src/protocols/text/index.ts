// Any program that takes a task and prints its answer: `text+stdio:<command line>`.
import type { AgentSpec } from "../../core/agent.ts";
import type { Protocol } from "../protocol.ts";
import { createTextDriver } from "./driver.ts";
import { takesHistory } from "./codec.ts";
import { checkTextAgent, readTextOptions } from "./options.ts";

export const text: Protocol = {
  id: "text",
  transports: ["stdio"],
  versions: ["1"],
  createDriver: createTextDriver,
  checkOptions: checkTextAgent,
  talksOf: (spec) => ({ follows: true, history: tellsHistory(spec) }),
};

function tellsHistory(spec: AgentSpec): boolean {
  const options = readTextOptions(spec.options ?? {});
  return options.ok && takesHistory({ spec }, options.value);
}
