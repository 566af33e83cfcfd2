import type { JsonObject } from "../../core/json.ts";
import { OPENAI_SKIPS } from "../../../test/support/protocols/driver-skips.ts";
import { openaiStage } from "../../../test/support/openai/stage.ts";
import { completion } from "../../../test/support/openai/scripted-model.ts";
import { describeDriver } from "../protocol.case.ts";

describeDriver(openaiStage, {
  request: ({ task }) => ({ messages: [{ role: "user", content: task.description }] }),
  description: ({ request }) => (request["messages"] as JsonObject[]).at(-1)?.["content"] as string,
  event: ({ request }, sequence, _kind, { tool }) =>
    completion(
      {
        content: null,
        tool_calls: [
          {
            id: `${request["chat_id"] as string}/${sequence}`,
            type: "function",
            function: { name: tool as string, arguments: "{}" },
          },
        ],
      },
      "tool_calls",
    ),
  response: () => completion({ content: "done" }),
  unusable: () => ({ something: "else" }),
  statuses: [],
  rules: { otherTask: "" },
  hasEnvelope: false,
  flood: 60,
  alwaysReported: ["llm_request"],
  skips: OPENAI_SKIPS,
});
