// Models behind OpenAI's chat completions API, or a server of the same form, as agents.
import type { AgentDriver, AgentSession } from "../../core/ports/driver.ts";
import type { Protocol } from "../protocol.ts";
import { belowAddress, headersOf, probeHttp } from "../probe.ts";
import { readOptions } from "./options.ts";
import { OPENAI_TALKS } from "./talks.ts";

export const openai: Protocol = {
  id: "openai",
  transports: ["http", "https"],
  versions: ["v1"],
  createDriver: createLater,
  checkOptions(options) {
    const read = readOptions(options);
    return read.ok ? [] : read.findings;
  },
  // The list of models costs nothing; a server that has none still answers.
  probe: (spec, signal) =>
    probeHttp(
      { url: belowAddress(spec, "/models"), ...headersOf(spec), isAlive: (status) => status < 500 },
      signal,
    ),
  replay: (recording, job, signals) => ({
    async *[Symbol.asyncIterator]() {
      const { replay } = await import("./replay.ts");
      yield* replay(recording, job, signals);
    },
  }),
};

/** Loads the driver when it is first needed, so that commands that only run programs do not pay for it. */
function createLater(): AgentDriver {
  let loaded: Promise<AgentDriver> | undefined;
  return {
    talks: OPENAI_TALKS,
    open(job, signals) {
      let session: AgentSession | undefined;
      return {
        async *[Symbol.asyncIterator]() {
          loaded ??= import("./driver.ts").then(({ createOpenaiDriver }) => createOpenaiDriver());
          session = (await loaded).open(job, signals);
          yield* session;
        },
        // A question comes out of the session, so that it is open by then.
        answer: async (questionId, answer) => session?.answer?.(questionId, answer),
      };
    },
  };
}
