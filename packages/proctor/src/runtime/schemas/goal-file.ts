// A goal in YAML: a whole request, or a plan alone. `${…}` is for the plan: variables of the environment are not replaced.
import { z } from "zod";
import type { GoalTemplate } from "../../core/goal-template.ts";
import type { PlanProblem } from "../../core/plan.ts";
import { MAX_DESCRIPTION_CHARS } from "../../core/task.ts";
import { addError } from "../yaml/findings.ts";
import { checkSource } from "../yaml/load-yaml.ts";
import { problemsError } from "../yaml/problem.ts";
import type { Path } from "../yaml/yaml-locate.ts";
import { parseYaml } from "../yaml/yaml-source.ts";
import { boundedText } from "./bounded.ts";
import { checkSources, goalFields } from "./goal.ts";
import { PlanBody } from "./plan.ts";

const goalFileSchema = z
  .strictObject({
    goal: boundedText(MAX_DESCRIPTION_CHARS).exactOptional().describe("What is to be achieved."),
    ...goalFields,
    tasks: PlanBody.shape.tasks.exactOptional().describe("The plan's tasks, where the file has no `plan`."),
    output: PlanBody.shape.output,
  })
  .superRefine(({ tasks, output, ...request }, context) => {
    if (tasks !== undefined && request.plan !== undefined)
      addError(context, new Error('"tasks" stands beside "plan"\nmove them into the plan'), ["tasks"]);
    else if (tasks !== undefined) checkSources({ ...request, plan: tasks }, context);
    else checkSources(request, context);
    if (output !== undefined && tasks === undefined)
      addError(context, new Error('"output" belongs to "tasks"\nmove it into the plan'), ["output"]);
  })
  .meta({ id: "GoalFile", description: "A goal, or a plan alone." });

/** Reads a goal. `check` finds what the schema cannot see; its paths are those of the template. Throws PLAN_INVALID with `file:line:col`. */
export function readGoalFile(
  text: string,
  file: string,
  check: (template: GoalTemplate) => PlanProblem[] = () => [],
): GoalTemplate {
  const { value, source } = checkSource(parseYaml(file, text, null), goalFileSchema, {
    code: "PLAN_INVALID",
  });
  const { tasks, output, ...request } = value;
  const template: GoalTemplate =
    tasks === undefined ? request : { ...request, plan: { tasks, ...(output !== undefined && { output }) } };
  const problems = check(template);
  if (problems.length === 0) return template;
  throw problemsError(
    "PLAN_INVALID",
    problems.map(({ path, message }) => {
      const place = source.valueAt(placeOf(path, tasks !== undefined));
      return { file, ...place, message };
    }),
  );
}

/** Returns `plan.tasks[3].id` as keys, as the file has them. */
function placeOf(path: string, isFlat: boolean): Path {
  const keys = path.split(/[.[\]]+/).filter((key) => key !== "");
  return isFlat && keys[0] === "plan" ? keys.slice(1) : keys;
}
