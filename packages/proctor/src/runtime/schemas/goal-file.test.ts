import { describe, expect, it } from "vitest";
import { messageOf } from "../../core/message-of.ts";
import { readGoalFile } from "./goal-file.ts";

const read = (text: string) => readGoalFile(text, "goal.yaml");

function refusal(text: string, check?: Parameters<typeof readGoalFile>[2]): string {
  try {
    readGoalFile(text, "goal.yaml", check);
  } catch (error) {
    return messageOf(error);
  }
  return "";
}

describe("A goal file", () => {
  it("may be a plan alone", () => {
    expect(read("tasks:\n  - id: a\n    capability: c\noutput: ${tasks.a.output}\n")).toEqual({
      plan: { tasks: [{ id: "a", capability: "c" }], output: "${tasks.a.output}" },
    });
  });

  it("may be a whole request, with its tasks or with its plan", () => {
    const rest =
      "goal: About ${params.topic}\nparameters: {type: object}\nbudget: {runs: 3}\nreview: {human: true}\n";
    const request = {
      goal: "About ${params.topic}",
      parameters: { type: "object" },
      budget: { runs: 3 },
      review: { human: true },
      plan: { tasks: [{ id: "a", agent: "x" }] },
    };
    expect(read(`${rest}tasks: [{id: a, agent: x}]\n`)).toEqual(request);
    expect(read(`${rest}plan: {tasks: [{id: a, agent: x}]}\n`)).toEqual(request);
  });

  it("may leave the plan to somebody", () => {
    expect(read("goal: g\nplanner: ada\n")).toEqual({ goal: "g", planner: "ada" });
    expect(read("goal: g\ncapability: c\ninput: [1]\n")).toEqual({ goal: "g", capability: "c", input: [1] });
  });

  it("is not filled in from the environment", () => {
    expect(read("goal: In ${HOME}, $${goal}\n")).toEqual({ goal: "In ${HOME}, $${goal}" });
  });

  it.each([
    ["", "goal.yaml:1:1  the file is empty"],
    ["goal: [", "goal.yaml:1:"],
    ["gaol: x\n", 'goal.yaml:1:1  unknown key "gaol"\n   did you mean "goal"?'],
    [
      "tasks:\n  - id: a\n    dependson: [b]\n",
      'goal.yaml:3:5  unknown key "dependson"\n   did you mean "dependsOn"?',
    ],
    ["tasks:\n  - id: 1\n", 'goal.yaml:2:9  "id" must be text, not a number\n   put it in quotes'],
    ["tasks: [{id: a}]\nplan: {tasks: [{id: a}]}\n", 'goal.yaml:1:8  "tasks" stands beside "plan"'],
    ["goal: g\noutput: x\n", 'goal.yaml:2:9  "output" belongs to "tasks"'],
    ["goal: g\ntasks: [{id: a}]\nplanner: p\n", 'goal.yaml:3:10  is not used beside "plan"'],
    ["goal: g\ninput: 1\n", 'goal.yaml:2:8  is used only with "capability"'],
  ])("is refused with the place: %j", (text, expected) => {
    expect(refusal(text)).toContain(expected);
  });

  it("shows where in it the plan is wrong", () => {
    const check = () => [
      { path: "plan.tasks[1].dependsOn[0]", message: "there is no task" },
      { path: "plan.tasks[0].input.a key.x", message: "refers to nothing" },
    ];
    const flat = "tasks:\n  - id: a\n    input: {a key: {x: 1}}\n  - id: b\n    dependsOn:\n      - c\n";
    expect(refusal(flat, check)).toBe("goal.yaml:3:24  refers to nothing\ngoal.yaml:6:9  there is no task");
    const nested = `goal: g\nplan:\n${flat.replaceAll(/^/gm, "  ")}`;
    expect(refusal(nested, check)).toBe(
      "goal.yaml:5:26  refers to nothing\ngoal.yaml:8:11  there is no task",
    );
  });
});
