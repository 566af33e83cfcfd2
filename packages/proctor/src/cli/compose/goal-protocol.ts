// The protocol of goals: `goal+builtin:goal`, whose agent is the orchestrator of this hub.
import { failure } from "../../core/failure.ts";
import type { AgentDriver } from "../../core/ports/driver.ts";
import type { Protocol } from "../../protocols/protocol.ts";

/** Where nothing is orchestrated: a stage, a conformance test. */
const NO_GOALS: AgentDriver = {
  open: () => ({
    async *[Symbol.asyncIterator]() {
      yield {
        kind: "end",
        end: { status: "failed", failure: failure("NO_AGENT", "there are no goals here") },
      };
    },
  }),
};

export const goal: Protocol = {
  id: "goal",
  transports: ["builtin"],
  versions: ["1"],
  createDriver: ({ goals }) => goals ?? NO_GOALS,
};
