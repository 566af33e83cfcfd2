// A goal in a file, with its parameters filled in.
import type { GoalRequest } from "../../core/goal.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { applyTemplate, checkTemplate, type TemplateUse } from "../../orchestrator/plan/template.ts";
import { readGoalFile } from "../../runtime/schemas/goal-file.ts";
import { compileSchema } from "../../suites/json/json-schema.ts";

/** Milliseconds of CPU time for the schema of a template's parameters. */
const COMPILE_LIMIT_MS = 500;

/** Throws PLAN_INVALID with `file:line:col`, or INVALID_REQUEST where the parameters do not fit. */
export function readGoal(text: string, file: string, use: TemplateUse): GoalRequest {
  return applyTemplate(readGoalFile(text, file, checkTemplate), use, { departure: departureFrom });
}

/** Says how the value departs from the schema. */
export function departureFrom(schema: JsonObject, value: Json): string | undefined {
  return compileSchema(schema, COMPILE_LIMIT_MS)(value)?.message;
}
