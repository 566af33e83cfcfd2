// The Agent Test Protocol, document 000.
import type { Protocol } from "../protocol.ts";
import { ATP_TRANSPORTS, createAtpDriver } from "./driver.ts";

export const atp: Protocol = {
  id: "atp",
  transports: ATP_TRANSPORTS,
  versions: ["1.0"],
  createDriver: createAtpDriver,
  probe: async (spec, signal) => (await import("./probe.ts")).probe(spec, signal),
  replay: (recording, job, signals) => ({
    async *[Symbol.asyncIterator]() {
      const { replay } = await import("./replay/replay.ts");
      yield* replay(recording, job, signals);
    },
  }),
  openSurfaces: async (options) => [(await import("./surface.ts")).createAtpSurface(options)],
  encodeResponse: async (run, readArtifact) => (await import("./encode-run.ts")).encodeRun(run, readArtifact),
  loadConformance: async () => (await import("./conform/conformance.ts")).atpConformance,
};
