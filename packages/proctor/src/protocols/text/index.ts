// Any program that takes a task and prints its answer: `text+stdio:<command line>`.
import type { Protocol } from "../protocol.ts";
import { createTextDriver } from "./driver.ts";
import { checkTextAgent } from "./options.ts";

export const text: Protocol = {
  id: "text",
  transports: ["stdio"],
  versions: ["1"],
  createDriver: createTextDriver,
  checkOptions: checkTextAgent,
};
