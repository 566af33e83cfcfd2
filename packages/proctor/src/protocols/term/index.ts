// The Term Challenge Protocol, document 002: terminal agents, one JSON line each way.
import type { Protocol } from "../protocol.ts";
import { createTermDriver } from "./driver.ts";

export const term: Protocol = {
  id: "term",
  transports: ["stdio", "builtin"],
  versions: ["1"],
  createDriver: createTermDriver,
  replay: (recording, job, signals) => ({
    async *[Symbol.asyncIterator]() {
      const { replay } = await import("./replay/replay.ts");
      yield* replay(recording, job, signals);
    },
  }),
  loadConformance: async () => (await import("./conform/conformance.ts")).termConformance,
};
