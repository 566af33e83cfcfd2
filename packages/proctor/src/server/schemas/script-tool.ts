// Script tools as clients read and call them. How they are written is in runtime/schemas.
import { z } from "zod";
import { SCRIPT_FAILURES, type ScriptFailure } from "../../core/script-tool.ts";
import { scriptToolFields, ScriptToolName } from "../../runtime/schemas/script-tool.ts";
import { AnyJson, listOf, Timestamp } from "./common.ts";

export const ScriptToolDocument = z
  .strictObject({
    name: ScriptToolName,
    ...scriptToolFields,
    sha256: z.string().describe("sha256 of the source."),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "ScriptTool" });

export const ScriptToolList = listOf("ScriptToolList", ScriptToolDocument);

export const ScriptCallBody = z
  .strictObject({ input: AnyJson.describe("What `parameters` describes.") })
  .meta({ id: "ScriptCall" });

// The catalogue's keys, as the tuple that an enum needs.
const FAILURES = Object.keys(SCRIPT_FAILURES) as [ScriptFailure, ...ScriptFailure[]];
const outcome = { duration_ms: z.number(), log: z.array(z.string()).describe("What the script logged.") };

export const ScriptResultDocument = z
  .union([
    z.strictObject({ ok: z.literal(true), output: AnyJson, ...outcome }),
    z.strictObject({ ok: z.literal(false), code: z.enum(FAILURES), message: z.string(), ...outcome }),
  ])
  .meta({ id: "ScriptResult", description: "A script that fails is an answer, too." });
