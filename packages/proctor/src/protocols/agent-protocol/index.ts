// Agent Protocol v1.
import type { AgentDriver } from "../../core/ports/driver.ts";
import type { Protocol } from "../protocol.ts";

export const agentProtocol: Protocol = {
  id: "ap",
  transports: ["http", "https"],
  versions: ["v1"],
  createDriver: createLater,
};

/** Loaded when first needed, so that who only runs programs never pays for it. */
function createLater(): AgentDriver {
  let loaded: Promise<AgentDriver> | undefined;
  return {
    open: (job, signals) => ({
      async *[Symbol.asyncIterator]() {
        loaded ??= import("./driver.ts").then(({ createApDriver }) => createApDriver());
        yield* (await loaded).open(job, signals);
      },
    }),
  };
}
