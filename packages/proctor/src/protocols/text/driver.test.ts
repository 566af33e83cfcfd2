import { describeDriver, type ProtocolWords } from "../protocol.case.ts";
import { TEXT_SKIPS } from "../../../test/support/protocols/driver-skips.ts";
import { heardKinds, saidLine } from "../../../test/support/protocols/said-words.ts";
import { textStage } from "../../../test/support/protocols/text-stage.ts";

const words: ProtocolWords = {
  request: ({ task }) => ({ task: task.description }),
  description: ({ request }) => request["task"] as string,
  event: (_task, _sequence, kind, payload) => saidLine(kind, payload),
  response: () => ({ answer: "done" }),
  unusable: () => ({}),
  statuses: [],
  rules: { otherTask: "" },
  hasEnvelope: false,
  skips: TEXT_SKIPS,
  heard: heardKinds,
};

describeDriver(textStage, words);
