// The envelope: document 004's messages between agents, users and the hub.
import type { AgentDriver, AgentReport } from "../../core/ports/driver.ts";
import type { DriverOptions, Protocol } from "../protocol.ts";

export const envelope: Protocol = {
  id: "envelope",
  transports: ["http", "https", "inbox"],
  versions: ["2"],
  createDriver: createLazyDriver,
  openSurfaces: async (options) =>
    options.messages ? [(await import("./surface.ts")).createEnvelopeSurface(options.messages, options)] : [],
};

/** Who only runs programs never pays for connections. */
function createLazyDriver({ mail }: DriverOptions): AgentDriver {
  let loaded: Promise<AgentDriver> | undefined;
  return {
    open: (job, signals) => ({
      async *[Symbol.asyncIterator](): AsyncGenerator<AgentReport> {
        loaded ??= import("./driver.ts").then(({ createEnvelopeDriver }) =>
          createEnvelopeDriver(mail ? { mail } : {}),
        );
        yield* (await loaded).open(job, signals);
      },
    }),
  };
}
