// What the sender of an `execute` may ask of the platform for its run. An envelope is kept as it arrived, so nothing in it may hold a secret.
import { z } from "zod";
import type { ToolSet } from "../../core/tools.ts";
import { boundedText } from "./bounded.ts";
import { conversationSchema } from "./conversation.ts";
import { llmSchema } from "./environment.ts";
import { toolSetSchema } from "./tool-set.ts";

const REAL: readonly (keyof ToolSet["tools"][number])[] = ["forward", "record", "replay"];

export const executeOptions = z.strictObject({
  strict: z.boolean().exactOptional(),
  capability: boundedText(1000).exactOptional(),
  llm: llmSchema.exactOptional(),
  conversation: conversationSchema.exactOptional(),
  tools: toolSetSchema
    .refine(({ tools, mcp, environment }) => {
      const isReal = tools.some((tool) => REAL.some((behaviour) => tool[behaviour] !== undefined));
      return !isReal && mcp === undefined && environment === undefined;
    }, "an envelope names mocked tools and scripts; real ones may need keys, and it is kept as it came")
    .exactOptional(),
});
