// The envelope: document 004's messages between agents, users and the hub.
import type { AgentDriver } from "../../core/ports/driver.ts";
import type { DriverOptions, Protocol } from "../protocol.ts";
import { ENVELOPE_TALKS } from "./talks.ts";

export const envelope: Protocol = {
  id: "envelope",
  transports: ["http", "https", "inbox"],
  versions: ["2"],
  createDriver: createLazyDriver,
  openSurfaces: async (options) =>
    options.messages ? [(await import("./surface.ts")).createEnvelopeSurface(options.messages, options)] : [],
};

/** Commands that only run programs never load the network code. */
function createLazyDriver({ mail }: DriverOptions): AgentDriver {
  let loaded: Promise<AgentDriver> | undefined;
  return {
    talks: ENVELOPE_TALKS,
    open(job, signals) {
      loaded ??= import("./driver.ts").then(({ createEnvelopeDriver }) =>
        createEnvelopeDriver(mail ? { mail } : {}),
      );
      const opened = loaded.then((driver) => driver.open(job, signals));
      return {
        async answer(questionId, answer) {
          await (await opened).answer?.(questionId, answer);
        },
        async *[Symbol.asyncIterator]() {
          yield* await opened;
        },
      };
    },
  };
}
