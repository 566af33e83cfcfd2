// Drives an ATP agent: one driver per transport, chosen by the agent's address. Each is loaded when first needed, so that
// who only runs programs never pays for sockets.
import type { AgentDriver, AgentReport, AgentSession, Job, StopSignals } from "../../core/ports/driver.ts";
import type { DriverOptions } from "../protocol.ts";
import { createStdioDriver } from "./stdio/driver.ts";

const LOADERS: Record<string, () => Promise<AgentDriver>> = {
  http: async () => (await import("./http/driver.ts")).createHttpDriver(),
  https: async () => (await import("./http/driver.ts")).createHttpDriver(),
  ws: async () => (await import("./websocket/driver.ts")).createWebSocketDriver(),
  wss: async () => (await import("./websocket/driver.ts")).createWebSocketDriver(),
  grpc: async () => (await import("./grpc/driver.ts")).createGrpcDriver(),
};

export const ATP_TRANSPORTS: readonly string[] = ["stdio", ...Object.keys(LOADERS)];

export function createAtpDriver(options: DriverOptions): AgentDriver {
  const stdio = createStdioDriver(options);
  const loading = new Map<string, Promise<AgentDriver>>();
  const loaded = new Map<string, AgentDriver>([["stdio", stdio]]);

  function load(transport: string): Promise<AgentDriver> {
    const known = loading.get(transport);
    if (known) return known;
    const loader = LOADERS[transport];
    if (loader === undefined) throw new Error(`no such ATP transport: ${transport}`);
    const driver = loader();
    loading.set(transport, driver);
    void driver.then((ready) => loaded.set(transport, ready));
    return driver;
  }

  return {
    // An agent only gets the conversation to which its task belongs (codec.ts); it may do several at once.
    talks: { follows: true, turns: "parallel" },
    open(job, signals) {
      return loaded.get(job.spec.transport)?.open(job, signals) ?? openLater(load, job, signals);
    },
  };
}

function openLater(
  load: (transport: string) => Promise<AgentDriver>,
  job: Job,
  signals: StopSignals,
): AgentSession {
  return {
    async *[Symbol.asyncIterator](): AsyncGenerator<AgentReport> {
      const driver = await load(job.spec.transport);
      yield* driver.open(job, signals);
    },
  };
}
