// A recording in the place of an agent: `replay+file:<path>`. What it plays is the recorded protocol's business.
import type { Protocol } from "../protocol.ts";
import { createReplayDriver } from "./driver.ts";

export const replay: Protocol = {
  id: "replay",
  transports: ["file"],
  versions: ["1"],
  createDriver: createReplayDriver,
};
