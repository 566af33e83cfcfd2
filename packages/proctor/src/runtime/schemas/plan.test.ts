import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { GoalRequest, TaskChange } from "../../core/goal.ts";
import type { Json } from "../../core/json.ts";
import type { Plan, PlanTask, Review } from "../../core/plan.ts";
import type { RerunRequest, RouteRequest } from "../../core/ports/goals.ts";
import { ProctorError } from "../../core/errors.ts";
import {
  GoalRequestBody,
  type RerunRequestBody,
  type RouteRequestBody,
  type TaskChangeBody,
} from "./goal.ts";
import { readPlan, type PlanBody, type PlanTaskBody, type ReviewBody } from "./plan.ts";

/** The type without the index signatures that make it count as JSON, all the way down. */
type Named<T> = T extends Json[]
  ? Named<T[number]>[]
  : T extends object
    ? string extends keyof T
      ? { [K in keyof T as string extends K ? never : K]: Named<T[K]> } extends infer Fields
        ? keyof Fields extends never
          ? "any object"
          : Fields
        : never
      : { [K in keyof T]: Named<T[K]> }
    : T;

describe("The schemas of plans and goals", () => {
  it("agree with the types of core, field by field", () => {
    expectTypeOf<Named<z.infer<typeof PlanTaskBody>>>().toEqualTypeOf<Named<PlanTask>>();
    expectTypeOf<Named<z.infer<typeof PlanBody>>>().toEqualTypeOf<Named<Plan>>();
    expectTypeOf<Named<z.infer<typeof ReviewBody>>>().toEqualTypeOf<Named<Review>>();
    expectTypeOf<Named<z.infer<typeof GoalRequestBody>>>().toEqualTypeOf<Named<GoalRequest>>();
    expectTypeOf<Named<z.infer<typeof RerunRequestBody>>>().toEqualTypeOf<Named<RerunRequest>>();
    expectTypeOf<Named<z.infer<typeof TaskChangeBody>>>().toEqualTypeOf<Named<TaskChange>>();
    expectTypeOf<Named<z.infer<typeof RouteRequestBody>>>().toEqualTypeOf<Named<RouteRequest>>();
  });

  it("can be written as JSON Schema, with a sentence for whoever writes one", () => {
    const schema = z.toJSONSchema(GoalRequestBody, { io: "input", unrepresentable: "any" });
    expect(Object.keys(schema.$defs ?? {}).sort()).toEqual([
      "ApprovalPolicy",
      "Compensation",
      "ConditionTest",
      "Doer",
      "GoalBudget",
      "GoalRequest",
      "Plan",
      "PlanTask",
      "Review",
    ]);
    expect(schema.$defs?.["GoalRequest"]?.properties?.["goal"]).toMatchObject({
      type: "string",
      description: "What is to be achieved.",
    });
    expect(schema.$defs?.["PlanTask"]).toMatchObject({
      required: ["id"],
      additionalProperties: false,
      properties: { id: { pattern: "^[A-Za-z][A-Za-z0-9_-]{0,63}$" } },
    });
  });

  it.each<[object, string[]]>([
    [{ goal: "g" }, []],
    [{ goal: "g", capability: "c", input: null }, []],
    [{ goal: "g", planner: "p", budget: { runs: 0, cost_usd: 0 } }, []],
    [{}, ["goal"]],
    [{ goal: "" }, ["goal"]],
    [{ goal: "g", capability: "c", planner: "p" }, ["planner"]],
    [{ goal: "g", plan: { tasks: [{ id: "a" }] }, capability: "c" }, ["capability"]],
    [{ goal: "g", input: 1 }, ["input"]],
    [{ goal: "g", concurrency: 0 }, ["concurrency"]],
    [{ goal: "g", budget: { runs: -1 } }, ["budget.runs"]],
    [{ goal: "g", approvals: { on_silence: "shout" } }, ["approvals.on_silence"]],
  ])("hold a request to what it may say: %j", (request, wrong) => {
    const { error } = GoalRequestBody.safeParse(request);
    expect(error?.issues.map(({ path }) => path.join(".")) ?? []).toEqual(wrong);
  });
});

describe("A plan that is read", () => {
  const refusal = (value: Json): ProctorError => {
    try {
      readPlan(value);
    } catch (error) {
      if (ProctorError.is(error)) return error;
    }
    throw new Error("it was not refused");
  };

  it("is what it was", () => {
    const plan: Plan = {
      tasks: [
        {
          id: "a",
          title: "t",
          description: "d",
          agent: "x",
          capability: "c",
          version: "^1",
          labels: { zone: "eu" },
          input: { deep: [null, 1, "x"] },
          dependsOn: ["b"],
          parentId: "g",
          foreach: [1, 2],
          when: { value: "${item}", in: [1], exists: true },
          conversation: "k",
          retry: { max_attempts: 3, on: ["AGENT_CRASHED"] },
          timeout_seconds: 0.5,
          constraints: { max_steps: 5, allowed_tools: null },
          on_failure: "fallback",
          fallback: { agent: "y" },
          compensate: { capability: "undo", input: 1, description: "Undo." },
          review: { checks: [{ contains: "x" }], agent: true, rubric: "r", human: false, rounds: 0 },
        },
      ],
      output: null,
    };
    expect(readPlan(plan)).toEqual(plan);
  });

  it.each<[Json, string, string]>([
    [null, "", "the plan must be a mapping"],
    [{ tasks: [] }, "tasks", "needs at least 1 entry"],
    [
      { tasks: [{ id: "a", dependson: [] }] },
      "tasks[0].dependson",
      'unknown key "dependson"; did you mean "dependsOn"?',
    ],
    [{ tasks: [{ id: "a" }], taks: 1 }, "taks", 'did you mean "tasks"?'],
    [{ tasks: [{ id: "a", dependsOn: ["b", 3] }] }, "tasks[0].dependsOn[1]", "must be text"],
    [{ tasks: [{ id: "a", on_failure: "fial" }] }, "tasks[0].on_failure", 'did you mean "fail"?'],
    [
      { tasks: [{ id: "a", retry: { max_attempts: 99 } }] },
      "tasks[0].retry.max_attempts",
      "must be at most 10",
    ],
    [{ tasks: [{ id: "a", when: { equals: 1 } }] }, "tasks[0].when.value", ""],
    [{ tasks: [{ id: "a", when: { value: 1, gt: 1 } }] }, "tasks[0].when.gt", 'unknown key "gt"'],
    [{ tasks: [{ id: "a", review: { human: "yes" } }] }, "tasks[0].review.human", "must be true or false"],
    [
      { tasks: [{ id: "a", fallback: { agents: "x" } }] },
      "tasks[0].fallback.agents",
      'did you mean "agent"?',
    ],
  ])("is refused with the place: %j", (value, path, message) => {
    const error = refusal(value);
    expect(error.code).toBe("PLAN_INVALID");
    expect(error.details).toEqual([{ path, message: expect.stringContaining(message) as string }]);
    expect(error.message).toContain(path);
  });

  it("is refused with fifty problems at most", () => {
    const error = refusal({ tasks: Array.from({ length: 1000 }, () => 1) });
    expect(error.details).toHaveLength(50);
    expect(error.message).toContain("(and 49 more, see details)");
  });
});
