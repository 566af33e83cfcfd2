// What an agent with the capability `plan` answered, as a plan: in our form or in that of other platforms, as data or as JSON in Markdown.
import { AGENT_NAME } from "../../core/agent.ts";
import { ProctorError } from "../../core/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { messageOf } from "../../core/message-of.ts";
import { parseJson } from "../../core/parse-json.ts";
import { TASK_ID, type Plan, type PlanProblem } from "../../core/plan.ts";
import { MAX_PLAN_PROBLEMS } from "./check-plan.ts";
import { fencedBlocks } from "./fenced-blocks.ts";

/** Number of times that an answer may be wrapped: text in an object in an object. */
const MAX_WRAPS = 4;
/** Number of blocks that are parsed, because a hostile answer may have a million of them. */
const MAX_BLOCKS = 10;
const FORM = "answer with {tasks: [{id, title, description, dependsOn, capability, input}]}";

/** Reads a planner's output; `readPlan` throws PLAN_INVALID with details. Every problem is worded so that the planner can be told. */
export function readPlannedPlan(output: Json, readPlan: (value: Json) => Plan): Plan | PlanProblem[] {
  const unwrapped = unwrap(output, MAX_WRAPS);
  if (!("plan" in unwrapped)) return [{ path: "", message: `${unwrapped.problem}; ${FORM}` }];
  try {
    const plan = readPlan(tidy(unwrapped.plan));
    const addresses = addressesIn(plan);
    return addresses.length > 0 ? addresses : plan;
  } catch (error) {
    return problemsOf(error);
  }
}

/** Reports addresses, which may start a program or reach any server. Only people may write them: a planner may repeat anybody's words. */
function addressesIn({ tasks }: Plan): PlanProblem[] {
  const problems = tasks.flatMap(({ agent, fallback, compensate, review }, index) =>
    Object.entries({
      agent,
      "fallback.agent": fallback?.agent,
      "compensate.agent": compensate?.agent,
      "review.agent": review?.agent,
    }).flatMap(([field, name]) =>
      typeof name !== "string" || AGENT_NAME.test(name)
        ? []
        : [
            {
              path: `tasks[${index}].${field}`,
              message: "must be the name of a registered agent, not an address",
            },
          ],
    ),
  );
  return problems.slice(0, MAX_PLAN_PROBLEMS);
}

function problemsOf(error: unknown): PlanProblem[] {
  if (!ProctorError.is(error) || error.code !== "PLAN_INVALID") throw error;
  const listed = Array.isArray(error.details) ? error.details : [];
  const problems = listed.flatMap((detail) => {
    if (!isJsonObject(detail)) return [];
    const { path, message } = detail;
    return typeof path === "string" && typeof message === "string" ? [{ path, message }] : [];
  });
  return problems.length > 0 ? problems : [{ path: "", message: error.message }];
}

type Unwrapped = { plan: JsonObject } | { problem: string };

function unwrap(value: Json, wraps: number): Unwrapped {
  if (wraps === 0) return { problem: "the plan is wrapped too often" };
  if (typeof value === "string") return unwrapText(value, wraps);
  if (!isJsonObject(value)) return { problem: "the answer is no plan" };
  if (value["tasks"] !== undefined) return { plan: value };
  const inner = value["plan"];
  return inner === undefined
    ? { problem: 'the answer has neither "tasks" nor "plan"' }
    : unwrap(inner, wraps - 1);
}

function unwrapText(text: string, wraps: number): Unwrapped {
  const bare = text.trim();
  const blocks = bare.startsWith("{") ? [bare] : fencedBlocks(bare).filter((block) => block.startsWith("{"));
  if (blocks.length > MAX_BLOCKS)
    return { problem: `the answer holds more than ${MAX_BLOCKS} blocks of JSON` };
  if (blocks.length === 0) return { problem: "the answer is text without a block of JSON" };
  const read = blocks.map((block) => unwrapJson(block, wraps));
  const plans = read.filter((one) => "plan" in one);
  if (plans.length > 1) return { problem: "the answer holds more than one plan" };
  return plans[0] ?? read[0] ?? { problem: "the answer is no plan" };
}

function unwrapJson(text: string, wraps: number): Unwrapped {
  try {
    return unwrap(parseJson(text, "the answer"), wraps - 1);
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** Leaves out fields without information: the goal, which other platforms repeat, and fields that are null. */
function tidy({ goal: _goal, tasks, ...rest }: JsonObject): Json {
  if (!Array.isArray(tasks)) return { ...withoutNulls(rest), tasks: tasks ?? null };
  const rename = renaming(tasks);
  return {
    ...withoutNulls(rest),
    tasks: tasks.map((task) => (isJsonObject(task) ? tidyTask(task, rename) : task)),
  };
}

type Rename = (id: Json) => Json;

function tidyTask(task: JsonObject, rename: Rename): JsonObject {
  const { id, dependsOn, parentId, input, ...rest } = task;
  return {
    ...withoutNulls({
      id: id === undefined ? null : rename(id),
      ...rest,
      dependsOn: Array.isArray(dependsOn) ? dependsOn.map(rename) : dependsOn,
      parentId: parentId === undefined ? null : rename(parentId),
    }),
    ...(input !== undefined && { input }),
  };
}

function withoutNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value != null));
}

/** Renames ids that are numbers, even as text, to `task-1`, unless that is ambiguous. Others stay, and are problems. */
function renaming(tasks: readonly Json[]): Rename {
  const counts = new Map<string, number>();
  for (const task of tasks) {
    const id = isJsonObject(task) ? asText(task["id"]) : undefined;
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return (id) => {
    const text = asText(id);
    if (text === undefined || !/^\d{1,15}$/.test(text)) return id;
    const name = `task-${text}`;
    return counts.get(text) === 1 && !counts.has(name) && TASK_ID.test(name) ? name : text;
  };
}

function asText(id: Json | undefined): string | undefined {
  if (typeof id === "number" && Number.isSafeInteger(id) && id >= 0) return String(id);
  return typeof id === "string" ? id : undefined;
}
