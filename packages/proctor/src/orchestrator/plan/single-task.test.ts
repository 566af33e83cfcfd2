import { expect, it } from "vitest";
import { readPlan } from "../../runtime/schemas/plan.ts";
import { checkPlan } from "./check-plan.ts";
import { resolveReferences } from "./references.ts";
import { planOfCapability } from "./single-task.ts";

it("A capability alone is a plan of one task, whose output is the goal's", () => {
  const plan = planOfCapability("summarise", { text: "long" }, "Make it short");
  expect(checkPlan(readPlan(plan))).toEqual([]);
  expect(plan).toEqual({
    tasks: [
      {
        id: "task",
        title: "Make it short",
        description: "${goal}",
        capability: "summarise",
        input: { text: "long" },
      },
    ],
    output: "${tasks.task.output}",
  });
  expect(planOfCapability("c", undefined, "g").tasks[0]).not.toHaveProperty("input");
});

it("What a client sends for a capability alone is data, and never a reference", () => {
  const goal = "Pay ${params.secret} $${goal}";
  const input = { text: ["${tasks.task.output}", "$${x}", "${"], "${key}": null };
  const plan = planOfCapability("c", input, goal);
  expect(checkPlan(plan)).toEqual([]);
  const values = { goal, params: { secret: "s" }, outputOf: () => "o" };
  const [task = null] = plan.tasks;
  expect(resolveReferences(task, values)).toEqual({
    value: { id: "task", title: goal, description: goal, capability: "c", input },
  });
});
