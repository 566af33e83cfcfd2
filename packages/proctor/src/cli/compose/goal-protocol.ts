// The protocol of goals: `goal+builtin:goal`, whose agent is the orchestrator of this hub.
import { failure } from "../../core/failure.ts";
import type { AgentDriver } from "../../core/ports/driver.ts";
import { goalFields } from "../../runtime/schemas/goal.ts";
import { checkValue } from "../../runtime/yaml/findings.ts";
import { z } from "zod";
import type { Protocol } from "../../protocols/protocol.ts";

/** Options of a goal that is an agent: its plan with parameters, who reviews it, and what it may use up. */
const options = z.strictObject({
  plan: goalFields.plan,
  params: goalFields.params,
  planner: goalFields.planner,
  approve_plan: goalFields.approve_plan,
  budget: goalFields.budget,
  concurrency: goalFields.concurrency,
  review: goalFields.review,
  approvals: goalFields.approvals,
  llm: goalFields.llm,
});

/** The driver where nothing is orchestrated: on a stage, in a conformance test. */
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
  checkOptions(given) {
    const checked = checkValue(options, given, "options");
    return checked.ok ? [] : checked.findings;
  },
  createDriver: ({ goals }) => goals ?? NO_GOALS,
};
