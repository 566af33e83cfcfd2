import { MCP_SKIPS } from "../../../test/support/protocols/driver-skips.ts";
import { mcpStage } from "../../../test/support/protocols/mcp-stage.ts";
import { loggedKinds, saidLine } from "../../../test/support/protocols/said-words.ts";
import type { JsonObject } from "../../core/json.ts";
import { describeDriver } from "../protocol.case.ts";

describeDriver(mcpStage(), {
  request: ({ task }) => ({
    name: "play",
    arguments: { task: task.description, input: task.input_data ?? null },
  }),
  description: ({ request }) => (request["arguments"] as JsonObject)["task"] as string,
  event: (_task, _sequence, kind, payload) => saidLine(kind, payload),
  response: (_task, { artifacts }) => ({
    content: [
      { type: "text", text: "done" },
      ...((artifacts ?? []) as JsonObject[]).map(({ path, content }) => ({
        type: "resource",
        resource: { uri: `file:///${path as string}`, text: content },
      })),
    ],
  }),
  unusable: () => ({ something: "else" }),
  // A tool that fails has words and no code of its own: calls.test.ts.
  statuses: [],
  rules: { otherTask: "" },
  hasEnvelope: false,
  skips: MCP_SKIPS,
  heard: loggedKinds,
});
