// From a goal in a file and its parameters to what is asked for. A template is what has `parameters`: applying twice changes nothing.
import { ProctorError } from "../../core/errors.ts";
import type { GoalTemplate } from "../../core/goal-template.ts";
import type { GoalRequest } from "../../core/goal.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Plan, PlanProblem } from "../../core/plan.ts";
import { checkPlan } from "./check-plan.ts";
import { referencesIn, resolveReferences, type Reference } from "./references.ts";
import { mapDoers } from "./task-references.ts";

export interface TemplateDeps {
  /** Returns how the value departs from the schema, or that the schema cannot be applied. */
  departure: (schema: JsonObject, value: Json) => string | undefined;
}

export interface TemplateUse {
  /** Parameters that override those of the file, one by one. */
  params?: JsonObject;
  /** Goal that overrides the one of the file. */
  goal?: string;
}

/** Throws INVALID_REQUEST where the parameters do not fit, or there is no goal. */
export function applyTemplate(
  { parameters, goal: written, params: own, plan, ...rest }: GoalTemplate,
  { params: given, goal: asked }: TemplateUse,
  { departure }: TemplateDeps,
): GoalRequest {
  const params = withDefaults({ ...own, ...given }, parameters);
  const wrong = parameters && departure(parameters, params);
  if (wrong !== undefined) throw refused("params", `the parameters do not fit: ${wrong}`);
  const text = asked ?? written;
  if (text === undefined) throw refused("goal", "nobody says what the goal is");
  const goal = asked === undefined && parameters !== undefined ? fillIn(text, params) : text;
  const applied = plan && parameters ? withDoers(plan, params) : plan;
  const hasParams = (own ?? given ?? parameters) !== undefined;
  return { ...rest, goal, ...(applied && { plan: applied }), ...(hasParams && { params }) };
}

/** Returns the problems of a template that do not depend on its parameters. */
export function checkTemplate({ goal = "", parameters, plan }: GoalTemplate): PlanProblem[] {
  const inGoal = referencesIn(goal).flatMap((reference) => {
    const wrong = parameters === undefined ? undeclared(reference) : unusable(reference);
    return wrong === undefined ? [] : [{ path: "goal", message: wrong }];
  });
  const inPlan = plan === undefined ? [] : checkPlan(plan, undefined, parameters !== undefined);
  return [...inGoal, ...inPlan.map(({ path, message }) => ({ path: `plan.${path}`, message }))];
}

/** Reports a parameter in the goal of a template that declares none: the author expects it to be replaced. */
function undeclared({ kind, text }: Reference): string | undefined {
  return kind === "params" ? `${text} refers to nothing: declare it under "parameters"` : undefined;
}

function unusable(reference: Reference): string | undefined {
  const { kind, text } = reference;
  if (kind === "params") return undefined;
  if (kind === "none") return `${text} is no reference: ${reference.reason}`;
  return `${text} is not known yet; a goal refers to parameters only`;
}

function fillIn(goal: string, params: JsonObject): string {
  const wrong = referencesIn(goal)
    .map(unusable)
    .find((problem) => problem !== undefined);
  if (wrong !== undefined) throw refused("goal", wrong);
  return insert(goal, params, "goal");
}

/** Fills in who does a task; all other references are resolved while the plan is carried out. */
function withDoers(plan: Plan, params: JsonObject): Plan {
  const tasks = plan.tasks.map((task, index) =>
    mapDoers(task, (text, path) => {
      const isOpen = referencesIn(text).some(({ kind }) => kind === "params");
      return isOpen ? insert(text, params, `plan.tasks[${index}].${path}`) : text;
    }),
  );
  return { ...plan, tasks };
}

function insert(text: string, params: JsonObject, path: string): string {
  const filled = resolveReferences(text, { goal: "", params, outputOf: () => undefined });
  if ("problem" in filled) throw refused(path, filled.problem);
  return typeof filled.value === "string" ? filled.value : JSON.stringify(filled.value);
}

/** Fills in what is absent and has a default, inside objects too. */
function withDefaults(value: JsonObject, schema: JsonObject | undefined): JsonObject {
  const properties = schema?.["properties"];
  if (!isJsonObject(properties)) return value;
  const entries = new Map(Object.entries(value));
  for (const [name, property] of Object.entries(properties)) {
    if (!isJsonObject(property)) continue;
    const inner = entries.has(name) ? entries.get(name) : property["default"];
    if (inner !== undefined) entries.set(name, isJsonObject(inner) ? withDefaults(inner, property) : inner);
  }
  return Object.fromEntries(entries);
}

function refused(path: string, message: string): ProctorError {
  return new ProctorError("INVALID_REQUEST", message, { details: [{ path, message }] });
}
