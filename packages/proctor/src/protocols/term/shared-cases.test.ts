import { TERM_SKIPS } from "../../../test/support/protocols/driver-skips.ts";
import { termStage } from "../../../test/support/term/stage.ts";
import { describeDriver } from "../protocol.case.ts";

describeDriver(termStage, {
  request: ({ task }) => ({ instruction: task.description, step: 1 }),
  description: ({ request }) => request["instruction"] as string,
  event: (_task, _sequence, _kind, { tool }) => ({
    command: `echo ${JSON.stringify(tool)}`,
    task_complete: false,
  }),
  response: () => ({ command: null, task_complete: true }),
  unusable: () => ({ command: 42, task_complete: "yes" }),
  statuses: [],
  rules: { otherTask: "" },
  hasEnvelope: false,
  flood: 60,
  skips: TERM_SKIPS,
});
