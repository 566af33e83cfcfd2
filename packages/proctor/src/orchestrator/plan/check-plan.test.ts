import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../test/support/property-runs.ts";
import { isGroup, PLAN_LIMITS, type Plan, type PlanTask } from "../../core/plan.ts";
import { checkPlan } from "./check-plan.ts";
import { randomTasks } from "../../../test/support/random-tasks.ts";

const task = (id: string, more: Partial<PlanTask> = {}): PlanTask => ({ id, capability: "work", ...more });
const check = (...tasks: PlanTask[]) => checkPlan({ tasks });
const said = (...tasks: PlanTask[]) => check(...tasks).map(({ path, message }) => `${path}: ${message}`);

describe("A plan without anything wrong", () => {
  it("has no problems", () => {
    const plan: Plan = {
      tasks: [
        { id: "g", title: "All of it", description: "A group." },
        task("a", { parentId: "g", foreach: ["x"], input: { i: "${item} ${index} ${goal}" } }),
        task("b", { dependsOn: ["g"], when: { value: "${tasks.a.output}", exists: true } }),
        task("c", { on_failure: "fallback", review: { human: true } }),
        task("d", { agent: "x", on_failure: "fallback", fallback: { agent: "y" } }),
        task("e", { on_failure: "compensate", compensate: { agent: "z", input: "${tasks.e.output.made}" } }),
      ],
      output: { all: "${tasks.a.output} ${params.any.thing}" },
    };
    expect(checkPlan(plan)).toEqual([]);
  });
});

describe("A plan is refused", () => {
  it("without tasks", () => {
    expect(said()).toEqual(["tasks: there is nothing to do; a plan has at least one task"]);
  });

  it("with too many tasks, which are not looked at", () => {
    const tasks = Array.from({ length: 100_000 }, () => task("?"));
    expect(check(...tasks.slice(0, 20_001))).toHaveLength(1);
    expect(checkPlan({ tasks })).toEqual([
      { path: "tasks", message: "a plan has at most 20000 tasks, and this one 100000" },
    ]);
  });

  it.each<[string, PlanTask[], string]>([
    ["an id that is none", [task("1a")], `tasks[0].id: "1a" is no id: write a letter, then up to 63`],
    ["an empty id", [task("")], `tasks[0].id: "" is no id`],
    ["an id of a prototype", [task("__proto__")], `tasks[0].id: "__proto__" is no id`],
    ["an id twice", [task("a"), task("a")], `tasks[1].id: tasks[0] has the id "a" already; choose another`],
    [
      "an unknown dependency",
      [task("fetch"), task("b", { dependsOn: ["fetch", "fecth"] })],
      `tasks[1].dependsOn[1]: there is no task "fecth"; did you mean "fetch"?`,
    ],
    [
      "an unknown dependency that is like none",
      [task("a", { dependsOn: ["constructor"] })],
      `tasks[0].dependsOn[0]: there is no task "constructor"; name the id of a task of this plan`,
    ],
    [
      "too many dependencies",
      [task("a", { dependsOn: Array.from({ length: 1001 }, () => "b") }), task("b")],
      "tasks[0].dependsOn: a task depends on at most 1000 others; depend on a group of them",
    ],
    [
      "an unknown parent",
      [{ id: "group" }, task("a", { parentId: "group" }), task("b", { parentId: "grup" })],
      `tasks[2].parentId: there is no task "grup"; did you mean "group"?`,
    ],
    [
      "a parent that works",
      [task("a"), task("b", { parentId: "a" })],
      `tasks[1].parentId: "a" does work itself`,
    ],
    [
      "a group with input",
      [{ id: "g", input: 1 }, task("a", { parentId: "g" })],
      `tasks[0].input: a task with neither`,
    ],
    [
      "a group with a condition",
      [{ id: "g", when: "${goal}" }, task("a", { parentId: "g" })],
      `tasks[0].when: a task with neither agent nor capability is a group, which has no "when"`,
    ],
    [
      "a group without members",
      [{ id: "g" }, task("a")],
      `tasks[0]: "g" has neither agent nor capability, and no members`,
    ],
    [
      "a reference to an unknown task",
      [task("fetch"), task("b", { input: { x: ["${tasks.fetsh.output}"] } })],
      'tasks[1].input.x[0]: ${tasks.fetsh.output} refers to nothing: there is no task "fetsh"; did you mean "fetch"?',
    ],
    [
      "a reference to a group",
      [{ id: "g" }, task("a", { parentId: "g" }), task("b", { input: "${tasks.g.output}" })],
      "tasks[2].input: ${tasks.g.output} refers to a group, which has no output",
    ],
    [
      "what is no reference",
      [task("a", { description: "${HOME}" })],
      "tasks[0].description: ${HOME} is no reference",
    ],
    [
      "an item without foreach",
      [task("a", { input: "${item.x}" })],
      "tasks[0].input: ${item.x} refers to nothing",
    ],
    [
      "an item in foreach",
      [task("a", { foreach: "${item}" })],
      "tasks[0].foreach: ${item} refers to nothing",
    ],
    [
      "an index without foreach",
      [task("a", { title: "${index}" })],
      "tasks[0].title: ${index} refers to nothing",
    ],
    [
      "a foreach over a text",
      [task("a", { foreach: "x, y" })],
      "tasks[0].foreach: must be a list, or one reference",
    ],
    ["a foreach over an object", [task("a", { foreach: {} })], "tasks[0].foreach: must be a list"],
    [
      "a list too long",
      [task("a", { foreach: Array<null>(10_001).fill(null) })],
      "tasks[0].foreach: a list has at most",
    ],
    [
      "a condition that is a text",
      [task("a", { when: "yes" })],
      "tasks[0].when: must be one reference alone",
    ],
    [
      "an input that is a list",
      [task("a", { input: ["${goal}"] })],
      "tasks[0].input: must be an object, with names for its values, or one reference alone",
    ],
    ["an input that is a text", [task("a", { input: "so ${goal}" })], "tasks[0].input: must be an object"],
    [
      "an undoing with a number",
      [task("a", { compensate: { agent: "x", input: 1 } })],
      "tasks[0].compensate.input: must be an object",
    ],
    [
      "an item in a condition, which is looked at once",
      [task("a", { foreach: [1], when: "${item}" })],
      "tasks[0].when: ${item} refers to nothing: items are known to the title, the description and the input alone",
    ],
    [
      "an item in an undoing, which happens once",
      [task("a", { foreach: [1], compensate: { agent: "x", description: "${index}" } })],
      "tasks[0].compensate.description: ${index} refers to nothing: items are known",
    ],
    [
      "an agent that another agent chooses",
      [task("a"), task("b", { agent: "${tasks.a.output}" })],
      "tasks[1].agent: ${tasks.a.output} cannot stand here: who does a task is known before anything runs",
    ],
    [
      "a fallback that a parameter chooses",
      [task("a", { on_failure: "fallback", fallback: { agent: "${params.x}" } })],
      "tasks[0].fallback.agent: ${params.x} cannot stand here",
    ],
    [
      "a label with a reference",
      [task("a", { labels: { z: "${goal}" } })],
      "tasks[0].labels.z: ${goal} cannot stand here",
    ],
    [
      "a conversation with a reference",
      [task("a", { conversation: "${goal}" })],
      "tasks[0].conversation: ${goal} cannot stand here",
    ],
    [
      "an undoing that refers to nothing",
      [task("a", { compensate: { agent: "x", input: "${tasks.b.output}" } })],
      "tasks[0].compensate.input: ${tasks.b.output} refers to nothing",
    ],
    [
      "a fallback that is not used",
      [task("a", { fallback: { agent: "x" } })],
      `tasks[0].fallback: is used only with`,
    ],
    [
      "a fallback to nobody",
      [task("a", { on_failure: "fallback", fallback: { version: "1" } })],
      "tasks[0].fallback: says not who does it",
    ],
    [
      "a fallback that cannot be found",
      [{ id: "a", agent: "x", on_failure: "fallback" }],
      "tasks[0].on_failure: nobody else can be found without a capability",
    ],
    [
      "a fallback to itself",
      [{ id: "a", agent: "x", on_failure: "fallback", fallback: { agent: "x" } }],
      `tasks[0].fallback.agent: "x" is the agent that has failed; name another one`,
    ],
    [
      "nothing to undo",
      [task("a", { on_failure: "compensate" })],
      "tasks[0].on_failure: nothing can be undone",
    ],
    [
      "an undoing by nobody",
      [task("a", { compensate: { input: {} } })],
      "tasks[0].compensate: says not who does it",
    ],
    ["an empty review", [task("a", { review: {} })], "tasks[0].review: nobody looks at the output"],
    [
      "a review by nobody",
      [task("a", { review: { rubric: "r", checks: [] } })],
      "tasks[0].review: nobody looks",
    ],
  ])("for %s", (_name, tasks, expected) => {
    const found = said(...tasks);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(expected);
  });

  it("for an output that refers to nothing", () => {
    expect(checkPlan({ tasks: [task("a")], output: ["${tasks.b.output}", "${item}"] })).toEqual([
      { path: "output[0]", message: expect.stringContaining('there is no task "b"') as string },
      { path: "output[1]", message: expect.stringContaining("${item} refers to nothing") as string },
    ]);
  });

  it("for a parameter that is not given, where parameters are known", () => {
    const plan = { tasks: [task("a", { title: "${params.topik} ${params.x.y} ${params}" })] };
    expect(checkPlan(plan, { topic: 1, x: { y: null } })).toEqual([
      {
        path: "tasks[0].title",
        message: '${params.topik} refers to nothing: no such parameter is given; did you mean "topic"?',
      },
    ]);
    expect(checkPlan(plan)).toEqual([]);
  });

  it("for none of the variables in a command line, and not for a template's choice of agents", () => {
    expect(check(task("a", { agent: "atp+stdio:sh -c 'echo ${HOME}'" }))).toEqual([]);
    expect(checkPlan({ tasks: [task("a", { agent: "${params.who}" })] }, undefined, true)).toEqual([]);
  });

  it("for tasks nested too deeply, at the outermost of them", () => {
    const nest = (depth: number): PlanTask[] => [
      { id: "g0" },
      ...Array.from({ length: depth - 1 }, (_, index): PlanTask => ({
        id: `g${index + 1}`,
        parentId: `g${index}`,
      })),
      task("a", { parentId: `g${depth - 1}` }),
    ];
    expect(check(...nest(PLAN_LIMITS.depth))).toEqual([]);
    expect(said(...nest(PLAN_LIMITS.depth + 1))).toEqual([
      "tasks[17].parentId: tasks are nested at most 16 deep",
    ]);
    expect(check(...nest(10_000))).toHaveLength(1);
    expect(check(...nest(10_000).toReversed())).toHaveLength(1);
  });

  it("with fifty problems at most", () => {
    expect(check(...Array.from({ length: 20_000 }, (_, index) => task(`?${index}`)))).toHaveLength(50);
    expect(
      check(...Array.from({ length: 20_000 }, (_, index) => task(`t${index}`, { dependsOn: [`t${index}`] }))),
    ).toHaveLength(50);
  });
});

describe("A cycle is named", () => {
  it.each<[string, PlanTask[], string]>([
    ["of one", [task("a", { dependsOn: ["a"] })], "tasks[0].dependsOn[0]: a → a"],
    [
      "of two",
      [task("a", { dependsOn: ["b"] }), task("x"), task("b", { dependsOn: ["x", "a"] })],
      "tasks[0].dependsOn[0]: a → b → a",
    ],
    [
      "through a reference",
      [task("a", { dependsOn: ["b"] }), task("b", { input: { x: "${tasks.a.output}" } })],
      "tasks[0].dependsOn[0]: a → b → a",
    ],
    ["of a task that refers to itself", [task("a", { when: "${tasks.a.output}" })], "tasks[0].when: a → a"],
    [
      "of parents",
      [
        { id: "a", parentId: "b" },
        { id: "b", parentId: "a" },
      ],
      "tasks[0].parentId: a → b → a",
    ],
    ["of a group in itself", [{ id: "a", parentId: "a" }], "tasks[0].parentId: a → a"],
    [
      "of a member that waits for its group",
      [{ id: "g" }, task("m", { parentId: "g", dependsOn: ["g"] })],
      "tasks[1].dependsOn[0]: m → g → m",
    ],
    [
      "of a group that waits for its member",
      [{ id: "g", dependsOn: ["m"] }, task("m", { parentId: "g" })],
      "tasks[0].dependsOn[0]: g → m → g",
    ],
    [
      "of a group and a task",
      [{ id: "g", dependsOn: ["x"] }, task("m", { parentId: "g" }), task("x", { dependsOn: ["g"] })],
      "tasks[0].dependsOn[0]: g → x → g",
    ],
    [
      "of a group whose member comes first",
      [task("m", { parentId: "g" }), { id: "g", dependsOn: ["x"] }, task("x", { dependsOn: ["g"] })],
      "tasks[1].dependsOn[0]: g → x → g",
    ],
    [
      "of a group and a task that waits for a member",
      [{ id: "g", dependsOn: ["x"] }, task("m", { parentId: "g" }), task("x", { dependsOn: ["m"] })],
      "tasks[0].dependsOn[0]: g → x → m → g",
    ],
    [
      "of two groups",
      [
        { id: "g", dependsOn: ["h"] },
        { id: "h", dependsOn: ["g"] },
        task("m", { parentId: "g" }),
        task("n", { parentId: "h" }),
      ],
      "tasks[0].dependsOn[0]: g → h → g",
    ],
  ])("%s", (_name, tasks, expected) => {
    const [path, names] = expected.split(": ");
    const cycles = check(...tasks).filter(({ message }) => message.startsWith("tasks wait"));
    expect(cycles).toEqual([
      { path, message: `tasks wait for each other: ${names}; remove one of these dependencies` },
    ]);
  });

  it("once for each that has tasks of its own", () => {
    const pair = (one: string, two: string) => [
      task(one, { dependsOn: [two] }),
      task(two, { dependsOn: [one] }),
    ];
    expect(said(...pair("a", "b"), ...pair("c", "d"))).toHaveLength(2);
  });

  it("by its shortest way round", () => {
    const tasks = [
      task("a", { dependsOn: ["b"] }),
      task("b", { dependsOn: ["c", "d"] }),
      task("c", { dependsOn: ["d"] }),
      task("d", { dependsOn: ["a"] }),
      task("e", { dependsOn: ["d"] }),
    ];
    expect(said(...tasks)).toEqual([
      "tasks[0].dependsOn[0]: tasks wait for each other: a → b → d → a; remove one of these dependencies",
    ]);
  });

  it("in linear time where everything waits for everything", () => {
    const tasks = Array.from({ length: 1000 }, (_, index) =>
      task(`t${index}`, { dependsOn: Array.from({ length: 1000 }, (_each, other) => `t${other}`) }),
    );
    expect(check(...tasks)).toHaveLength(1);
  });

  it("of 20,000 tasks by its first ten", () => {
    const tasks = Array.from({ length: 20_000 }, (_, index) =>
      task(`t${index}`, { dependsOn: [`t${(index + 1) % 20_000}`] }),
    );
    const [found] = said(...tasks);
    expect(found).toContain("t0 → t1 → t2 → t3 → t4 → t5 → t6 → t7 → t8 → t9 → … (19990 more) → t0;");
  });

  it("whichever edge back is added to whichever plan", () => {
    fc.assert(
      fc.property(randomTasks, fc.nat(), (tasks, pick) => {
        const edges = tasks.flatMap(({ id, dependsOn = [] }) => dependsOn.map((to) => ({ from: id, to })));
        fc.pre(edges.length > 0);
        const edge = edges[pick % edges.length];
        const changed = tasks.map((one): PlanTask =>
          one.id === edge?.to ? { ...one, dependsOn: [...(one.dependsOn ?? []), edge.from] } : one,
        );
        const problems = checkPlan({ tasks: changed });
        expect(problems).toHaveLength(1);
        expect(problems[0]?.path).toMatch(/^tasks\[\d+\]\./);
        expect(problems[0]?.message).toContain("tasks wait for each other");
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it("where a member of a plan waits for a group around it", () => {
    fc.assert(
      fc.property(randomTasks, fc.nat(), (tasks, pick) => {
        const members = tasks.filter((one) => one.parentId !== undefined && !isGroup(one));
        fc.pre(members.length > 0);
        const member = members[pick % members.length];
        const changed = tasks.map((one): PlanTask =>
          one === member ? { ...one, dependsOn: [...(one.dependsOn ?? []), one.parentId ?? ""] } : one,
        );
        expect(checkPlan({ tasks: changed }).map(({ message }) => message)).toEqual([
          expect.stringContaining("tasks wait for each other") as string,
        ]);
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});
