// Script tools as clients write them: over HTTP, and from a program.
import { z } from "zod";
import { ENVIRONMENT_KINDS } from "../../core/environment.ts";
import { SCRIPT_LANGUAGES, SCRIPT_TOOL_NAME } from "../../core/script-tool.ts";
import { boundedInt, boundedText } from "./bounded.ts";

export const ScriptToolName = z
  .string()
  .regex(SCRIPT_TOOL_NAME, "1 to 64 letters, digits, `.`, `_` or `-`, the first a letter or digit");

const MAX_SOURCE_CHARS = 512 * 1024;
const jsonSchema = z.record(z.string(), z.unknown());

export const scriptToolFields = {
  description: z.string().max(4096).optional().describe("What it is for, in the words that models read."),
  version: boundedText(64).optional(),
  language: z
    .enum(SCRIPT_LANGUAGES)
    .describe("`javascript` runs in the hub's sandbox; the others are programs in an environment."),
  source: boundedText(MAX_SOURCE_CHARS),
  parameters: jsonSchema.describe("JSON Schema of the input, which is checked before the script sees it."),
  returns: jsonSchema.optional().describe("JSON Schema of the output."),
  limits: z
    .strictObject({
      time_ms: boundedInt(1, 300_000)
        .optional()
        .describe("CPU milliseconds of `javascript`, milliseconds of a program."),
      memory_mb: boundedInt(1, 4096).optional(),
      output_bytes: boundedInt(1, 1_048_576).optional(),
    })
    .optional(),
  environment: z.enum(ENVIRONMENT_KINDS).optional().describe("Where a program runs."),
  image: boundedText(512).optional().describe("The container image that a program runs in."),
};

/** A tool without its name. */
export const ScriptToolBody = z.strictObject(scriptToolFields).meta({ id: "ScriptToolBody" });

export const NewScriptToolBody = z
  .strictObject({ name: ScriptToolName, ...scriptToolFields })
  .meta({ id: "NewScriptTool" });
