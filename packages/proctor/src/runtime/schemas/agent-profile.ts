// What an agent says of itself, as files and clients write it.
import { z } from "zod";
import type { Capability } from "../../core/agent-profile.ts";
import type { JsonObject } from "../../core/json.ts";
import { json } from "../yaml/scalars.ts";
import { boundedText } from "./bounded.ts";

const MAX_CAPABILITIES = 100;
const MAX_SCHEMA_CHARS = 100_000;

const amount = z.number().min(0).max(1e12);
const text = boundedText(1000);
const texts = z.array(text).max(50);

const jsonSchema: z.ZodType<JsonObject> = z
  .record(z.string(), json)
  .refine(
    (value) => JSON.stringify(value).length <= MAX_SCHEMA_CHARS,
    "must have at most 100,000 characters",
  );

const capability: z.ZodType<Capability> = z.strictObject({
  name: text.describe("Unique among the agent's capabilities."),
  description: text.exactOptional(),
  parameters: jsonSchema.exactOptional().describe("JSON Schema of its input."),
  returns: jsonSchema.exactOptional().describe("JSON Schema of its output."),
  version: text.exactOptional().describe("The capability's own version; the agent's counts when absent."),
  idempotent: z.boolean().exactOptional().describe("Doing it twice does no more than doing it once."),
  cost: z
    .strictObject({
      usd: amount.exactOptional(),
      tokens: amount.exactOptional(),
      seconds: amount.exactOptional(),
    })
    .exactOptional()
    .describe("What one call may cost, as far as the agent knows."),
  on_mismatch: z
    .enum(["violation", "fail"])
    .exactOptional()
    .describe("What happens to an output that does not fit `returns`: `violation` when absent."),
  tags: texts.exactOptional(),
  examples: texts.exactOptional().describe("Things that one may ask it for."),
});

const capabilities = z
  .array(capability)
  .max(MAX_CAPABILITIES)
  .refine(
    (list) => new Set(list.map(({ name }) => name)).size === list.length,
    "two capabilities have the same name",
  );

export const agentProfile = {
  description: text.exactOptional().describe("What the agent is for; its A2A card says it."),
  version: text.exactOptional().describe("The agent's own version; its A2A card says it."),
  capabilities: capabilities.exactOptional().describe("What the agent can do: skills in its A2A card."),
};
