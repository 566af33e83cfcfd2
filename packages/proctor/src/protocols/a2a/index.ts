// The Agent2Agent protocol: agents that speak it are driven over JSON-RPC, HTTP+JSON or gRPC, in 1.0 or 0.3.
import type { AgentDriver, AgentSession } from "../../core/ports/driver.ts";
import type { Protocol, Replay } from "../protocol.ts";
import { readOptions } from "./driver/options.ts";
import type { A2aSurfaceOptions } from "./surface.ts";
import { A2A_TALKS } from "./talks.ts";

export const a2a: Protocol = {
  id: "a2a",
  transports: ["http", "https", "grpc", "grpcs"],
  versions: ["1.0", "0.3"],
  createDriver: createLater,
  checkOptions(options) {
    const read = readOptions(options);
    return read.ok ? [] : read.findings;
  },
  replay: replayLater,
  probe: async (spec, signal) => (await import("./probe.ts")).probe(spec, signal),
  loadConformance: async () => (await import("./conform/conformance.ts")).a2aConformance,
  async openSurfaces(options) {
    return (await import("./surface.ts")).openSurfaces(options);
  },
  async loadWebhookEncoding() {
    return (await import("./surface/push-encoding.ts")).pushEncoding;
  },
};

/** Returns the protocol with surfaces other than the usual ones. */
export function serveA2a(own: A2aSurfaceOptions): Protocol {
  return {
    ...a2a,
    async openSurfaces(options) {
      return (await import("./surface.ts")).openSurfaces(options, own);
    },
  };
}

function replayLater(...played: Parameters<Replay>): AgentSession {
  const opened = import("./replay/replay.ts").then(({ replay }) => replay(...played));
  return {
    answer: async (questionId, answer) => (await opened).answer?.(questionId, answer),
    async *[Symbol.asyncIterator]() {
      yield* await opened;
    },
  };
}

/** Loads the driver when it is first needed, so that commands that only run programs do not pay for it. */
function createLater(): AgentDriver {
  let loaded: Promise<AgentDriver> | undefined;
  return {
    talks: A2A_TALKS,
    open(job, signals) {
      loaded ??= import("./driver.ts").then(({ createA2aDriver }) => createA2aDriver());
      const opened: Promise<AgentSession> = loaded.then((driver) => driver.open(job, signals));
      return {
        say: async (message) => (await opened).say?.(message),
        answer: async (questionId, answer) => (await opened).answer?.(questionId, answer),
        async *[Symbol.asyncIterator]() {
          yield* await opened;
        },
      };
    },
  };
}
