// The runs that belong together: because one goes on from another, or because one does a part of another's work.
import { z } from "zod";
import { ConversationMessageDocument } from "./message.ts";
import { RunDocument } from "./run.ts";

export const ConversationDocument = z
  .strictObject({
    id: z.string(),
    runs: z.array(RunDocument).describe("The oldest first."),
    messages: z.array(ConversationMessageDocument),
    cut: z.boolean().describe("True when more was said than is shown; the newest is shown."),
  })
  .meta({ id: "Conversation", description: "Runs that go on from one another, and what was said in them." });

export const TallyDocument = z
  .strictObject({
    runs: z.int().min(0),
    live: z.int().min(0).describe("How many of them have not ended."),
    total_tokens: z.number(),
    cost_usd: z.number(),
    total_steps: z.number(),
  })
  .meta({ id: "TreeTally", description: "What a run and all runs below it have used together." });
