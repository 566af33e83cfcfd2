// Any JSON endpoint as an agent: `rest+http://…`, with a template for the request and a path to the answer.
import type { AgentDriver, AgentReport } from "../../core/ports/driver.ts";
import type { Protocol } from "../protocol.ts";
import { belowAddress, headersOf, probeHttp } from "../probe.ts";
import { checkRestOptions, keepsConversation, tellsHistory } from "./options.ts";

export const rest: Protocol = {
  id: "rest",
  transports: ["http", "https"],
  versions: ["1"],
  createDriver: createLazyDriver,
  checkOptions: (options) => checkRestOptions(options),
  // Any answer will do: what else the endpoint takes is not known, and a task would cost something.
  probe: (spec, signal) =>
    probeHttp(
      {
        method: "OPTIONS",
        url: belowAddress(spec, ""),
        ...headersOf(spec),
        isAlive: (status) => status < 500,
      },
      signal,
    ),
  talksOf: (spec) => ({
    follows: true,
    history: tellsHistory(spec),
    turns: keepsConversation(spec) ? "serial" : "parallel",
  }),
};

/** Commands that only run programs never load the network code. */
function createLazyDriver(): AgentDriver {
  let loaded: Promise<AgentDriver> | undefined;
  return {
    talks: { follows: true },
    open: (job, signals) => ({
      async *[Symbol.asyncIterator](): AsyncGenerator<AgentReport> {
        loaded ??= import("./driver.ts").then(({ createRestDriver }) => createRestDriver());
        yield* (await loaded).open(job, signals);
      },
    }),
  };
}
