// The labs of a run as they are written in YAML or sent to the hub.
import { z } from "zod";
import { given } from "../../core/given.ts";
import type { LabSet } from "../../core/labs.ts";
import { oauthScriptSchema } from "./oauth-script.ts";
import { pushScriptSchema } from "./push-script.ts";

export const labSetSchema: z.ZodType<LabSet> = z
  .strictObject({ oauth: oauthScriptSchema.nullish(), push: pushScriptSchema.nullish() })
  .transform((value) => given(value));
