// The Agent Test Protocol, document 000.
import type { Protocol } from "../protocol.ts";
import { createStdioDriver } from "./driver.ts";

export const atp: Protocol = {
  id: "atp",
  transports: ["stdio"],
  versions: ["1.0"],
  createDriver: createStdioDriver,
};
