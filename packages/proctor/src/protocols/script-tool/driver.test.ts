import { SCRIPT_TOOL_SKIPS } from "../../../test/support/protocols/driver-skips.ts";
import { loggedKinds, saidLine } from "../../../test/support/protocols/said-words.ts";
import { scriptToolStage } from "../../../test/support/protocols/script-tool-stage.ts";
import { describeDriver } from "../protocol.case.ts";

describeDriver(scriptToolStage(), {
  request: ({ task }) => ({ ...task.input_data }),
  description: () => "",
  event: (_task, _sequence, kind, payload) => saidLine(kind, payload),
  response: () => ({ said: "done" }),
  unusable: () => ({}),
  // A tool that fails says so with its own codes: calls.test.ts.
  statuses: [],
  rules: { otherTask: "" },
  hasEnvelope: false,
  skips: SCRIPT_TOOL_SKIPS,
  heard: loggedKinds,
});
