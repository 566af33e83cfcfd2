// Servers of the Model Context Protocol as agents: `mcp+http://…`, whose tools are their capabilities.
import type { AgentDriver, AgentReport } from "../../core/ports/driver.ts";
import { ALIVE, dead } from "../probe.ts";
import type { Protocol } from "../protocol.ts";
import { checkMcpOptions } from "./options.ts";
import { REVISIONS, STATELESS } from "./wire.ts";

export const mcp: Protocol = {
  id: "mcp",
  transports: ["http", "https"],
  versions: [STATELESS, ...REVISIONS],
  createDriver: createLazyDriver,
  checkOptions: (options) => checkMcpOptions(options),
  async probe(spec, signal) {
    const listed = await (await import("./list-tools.ts")).listTools(spec, signal);
    return listed.ok ? ALIVE : dead(listed.failure.message);
  },
};

/** Commands that only run programs never load the network code. */
function createLazyDriver(): AgentDriver {
  let loaded: Promise<AgentDriver> | undefined;
  return {
    open: (job, signals) => ({
      async *[Symbol.asyncIterator](): AsyncGenerator<AgentReport> {
        loaded ??= import("./driver.ts").then(({ createMcpDriver }) => createMcpDriver());
        yield* (await loaded).open(job, signals);
      },
    }),
  };
}
