import { describe, expect, it } from "vitest";
import { ProctorError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { readPlan } from "../../runtime/schemas/plan.ts";
import { readPlannedPlan } from "./planned.ts";

const plan = {
  tasks: [
    { id: "a", capability: "write" },
    { id: "b", agent: "x", dependsOn: ["a"], input: null },
  ],
};
const text = JSON.stringify(plan, null, 2);
const read = (output: Json) => readPlannedPlan(output, readPlan);

describe("What a planner answered", () => {
  it.each<[string, Json]>([
    ["itself", plan],
    ["wrapped", { plan }],
    ["wrapped twice", { plan: { plan } }],
    ["as text", text],
    ["as wrapped text", { plan: text }],
    ["in a fence", `\`\`\`json\n${text}\n\`\`\``],
    ["in a fence among words", `Here is the plan:\r\n\n \`\`\`\n${text}\n\`\`\`\n\nGood luck!`],
    ["in a fence that nobody closed", `\`\`\`json\n${text}`],
    ["in a fence beside another", `\`\`\`sh\nls\n\`\`\`\n\`\`\`json\n${JSON.stringify({ plan })}\n\`\`\``],
    [
      "with nulls",
      {
        goal: "g",
        output: null,
        tasks: plan.tasks.map((task) => ({ title: null, parentId: null, dependsOn: null, ...task })),
      },
    ],
  ])("is a plan: %s", (_name, output) => {
    expect(read(output)).toEqual(plan);
  });

  it("may have the form of other platforms", () => {
    const tasks = [
      { id: "t1", title: "Read", description: "Read it.", dependsOn: [], capability: "read" },
      { id: "t2", title: "Write", description: "Write it.", dependsOn: ["t1"], capability: "write" },
    ];
    expect(read({ goal: "Do it", tasks })).toEqual({ tasks });
  });

  it("may have numbers as ids", () => {
    const tasks = [
      { id: 1, agent: "a" },
      { id: "2", agent: "a", dependsOn: [1, "1"] },
      { id: "x", agent: "a", dependsOn: ["2", 2] },
      { id: 4, parentId: 1 },
    ];
    expect(read({ tasks })).toEqual({
      tasks: [
        { id: "task-1", agent: "a" },
        { id: "task-2", agent: "a", dependsOn: ["task-1", "task-1"] },
        { id: "x", agent: "a", dependsOn: ["task-2", "task-2"] },
        { id: "task-4", parentId: "task-1" },
      ],
    });
  });

  it.each<[string, Json[], Json[]]>([
    ["the same number is there as text", [{ id: 1 }, { id: "1" }], [{ id: "1" }, { id: "1" }]],
    ["the name is taken", [{ id: 1 }, { id: "task-1" }], [{ id: "1" }, { id: "task-1" }]],
  ])("keeps ids that are numbers where %s, for the check to refuse", (_name, tasks, expected) => {
    expect(read({ tasks })).toEqual({ tasks: expected });
  });

  it.each<[string, Json, string, string]>([
    ["nothing", null, "", "the answer is no plan"],
    ["a list", [1], "", "the answer is no plan"],
    ["something else", { steps: [] }, "", 'neither "tasks" nor "plan"'],
    ["words", "I cannot do that.", "", "text without a block of JSON"],
    ["words in a fence", "```\nls\n```", "", "text without a block of JSON"],
    ["broken JSON in a fence", "```\n{ls\n```", "", "is not valid JSON"],
    ["broken JSON", '{"tasks": [', "", "is not valid JSON"],
    ["two plans", `\`\`\`\n${text}\n\`\`\`\n\`\`\`\n${text}\n\`\`\``, "", "more than one plan"],
    ["too many wraps", { plan: { plan: { plan: { plan: { plan } } } } }, "", "wrapped too often"],
    ["a nest", "[".repeat(100_000), "", "text without a block of JSON"],
    ["a nest of objects", '{"plan":'.repeat(100_000), "", "nested more than 200 levels deep"],
    ["tasks that are none", { tasks: { a: 1 } }, "tasks", "must be a list"],
    ["tasks that are nothing", { tasks: null }, "tasks", "must be a list"],
    ["a task that is none", { tasks: ["a"] }, "tasks[0]", "must be a mapping"],
    ["a task without id", { tasks: [{ agent: "x" }] }, "tasks[0].id", 'missing key "id"'],
    ["an id of another type", { tasks: [{ id: 1.5, agent: "x" }] }, "tasks[0].id", "must be text"],
    ["an unknown key", { tasks: [{ id: "a", agnet: "x" }] }, "tasks[0].agnet", 'did you mean "agent"?'],
    ["a million fences", "```\n".repeat(1_000_001), "", "text without a block of JSON"],
    ["many broken blocks", "```\n{\n".repeat(200_000), "", "more than 10 blocks of JSON"],
  ])("is a problem to tell the planner: %s", (_name, output, path, message) => {
    expect(read(output)).toEqual([{ path, message: expect.stringContaining(message) as string }]);
  });

  it("names agents, and never an address that would start a program", () => {
    const agent = "atp+stdio:rm -rf /";
    const message = "must be the name of a registered agent, not an address";
    const tasks = [
      { id: "a", agent: "good.name-1" },
      { id: "b", agent, fallback: { agent }, compensate: { agent }, review: { agent } },
      { id: "c", agent: "${params.x}", review: { agent: true } },
    ];
    expect(read({ tasks })).toEqual([
      { path: "tasks[1].agent", message },
      { path: "tasks[1].fallback.agent", message },
      { path: "tasks[1].compensate.agent", message },
      { path: "tasks[1].review.agent", message },
      { path: "tasks[2].agent", message },
    ]);
  });

  it("is nobody's fault where reading fails for another reason", () => {
    const broken = new ProctorError("INTERNAL_ERROR", "a bug");
    expect(() =>
      readPlannedPlan(plan, () => {
        throw broken;
      }),
    ).toThrow(broken);
  });
});
