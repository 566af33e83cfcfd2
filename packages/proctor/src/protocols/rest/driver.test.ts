import { describeDriver, type ProtocolWords } from "../protocol.case.ts";
import { REST_SKIPS } from "../../../test/support/protocols/driver-skips.ts";
import { restStage } from "../../../test/support/protocols/rest-stage.ts";
import { heardKinds, saidLine } from "../../../test/support/protocols/said-words.ts";

const words: ProtocolWords = {
  request: ({ task }) => ({ message: task.description }),
  description: ({ request }) => request["message"] as string,
  event: (_task, _sequence, kind, payload) => saidLine(kind, payload),
  response: (_task, { error, error_code }) => ({
    delta: "done",
    ...(error !== undefined && { error: { message: error, code: error_code } }),
  }),
  unusable: () => ({ something: "else" }),
  statuses: ["failed"],
  rules: { otherTask: "" },
  hasEnvelope: false,
  skips: REST_SKIPS,
  heard: heardKinds,
};

for (const stream of ["sse", "lines"] as const) describeDriver(restStage(stream), words);
