import { describe, expect, it } from "vitest";
import { ProctorError } from "../../core/errors.ts";
import type { GoalTemplate } from "../../core/goal-template.ts";
import type { JsonObject } from "../../core/json.ts";
import { compileSchema } from "../../suites/json/json-schema.ts";
import { applyTemplate, checkTemplate, type TemplateDeps, type TemplateUse } from "./template.ts";

const plan = { tasks: [{ id: "a", capability: "write", input: "${params.topic}" }] };
const parameters: JsonObject = {
  type: "object",
  properties: {
    topic: { type: "string" },
    size: { type: "integer", default: 3 },
    style: { type: "object", default: {}, properties: { tone: { type: "string", default: "plain" } } },
    quiet: { type: ["boolean", "null"], default: false },
  },
  required: ["topic"],
  additionalProperties: false,
};
const template: GoalTemplate = { goal: "Write about ${params.topic}", parameters, plan, budget: { runs: 5 } };

const departure: TemplateDeps["departure"] = (schema, value) => compileSchema(schema)(value)?.message;
const refusal = (act: () => unknown): ProctorError => {
  try {
    act();
  } catch (error) {
    if (ProctorError.is(error)) return error;
  }
  throw new Error("it was not refused");
};
const apply = (goal: GoalTemplate, use: TemplateUse = {}) => applyTemplate(goal, use, { departure });

describe("A template with its parameters", () => {
  it("is a request with the goal and the defaults filled in", () => {
    expect(apply(template, { params: { topic: "bees", quiet: null } })).toEqual({
      goal: "Write about bees",
      plan,
      budget: { runs: 5 },
      params: { topic: "bees", size: 3, style: { tone: "plain" }, quiet: null },
    });
  });

  it("takes parameters of the file, unless others are given", () => {
    const own = { ...template, params: { topic: "bees", size: 1 } };
    expect(apply(own).params).toMatchObject({ topic: "bees", size: 1 });
    expect(apply(own, { params: { size: 2 } }).params).toMatchObject({ topic: "bees", size: 2 });
  });

  it.each<[string, JsonObject, string]>([
    ["a missing one", {}, "topic"],
    ["one of another type", { topic: 1 }, "topic"],
    ["an unknown one", { topic: "bees", colour: "red" }, "colour"],
  ])("refuses %s", (_name, params, named) => {
    const error = refusal(() => apply(template, { params }));
    expect(error).toMatchObject({ code: "INVALID_REQUEST", details: [{ path: "params" }] });
    expect(error.message).toContain(named);
  });

  it("fills in data, which is not read again", () => {
    const once = apply(template, { params: { topic: "${params.size} $${goal}" } });
    expect(once.goal).toBe("Write about ${params.size} $${goal}");
    expect(apply(once)).toEqual(once);
  });

  it("fills in who does a task, and leaves the rest to be looked up later", () => {
    const doer = { agent: "${params.topic}-${params.size}", capability: "${params.topic}" };
    const tasks = [
      {
        id: "a",
        ...doer,
        labels: { size: "${params.size}" },
        conversation: "${params.topic}",
        input: { t: "${params.topic}" },
      },
      {
        id: "b",
        agent: "atp+stdio:sh -c 'echo ${HOME}'",
        fallback: doer,
        compensate: { ...doer, input: "${params}" },
      },
    ];
    const filled = { agent: "bees-3", capability: "bees" };
    expect(apply({ ...template, plan: { tasks } }, { params: { topic: "bees" } }).plan?.tasks).toEqual([
      { id: "a", ...filled, labels: { size: "3" }, conversation: "bees", input: { t: "${params.topic}" } },
      { ...tasks[1], fallback: filled, compensate: { ...filled, input: "${params}" } },
    ]);
    const unknown = { ...template, plan: { tasks: [{ id: "a", agent: "${params.who}" }] } };
    expect(refusal(() => apply(unknown, { params: { topic: "x" } }))).toMatchObject({
      code: "INVALID_REQUEST",
      details: [{ path: "plan.tasks[0].agent" }],
    });
  });

  it("fills in numbers as text", () => {
    expect(apply({ ...template, goal: "${params.size}" }, { params: { topic: "x" } }).goal).toBe("3");
  });

  it("keeps a parameter with the name of a prototype as an ordinary one", () => {
    const params = JSON.parse('{"__proto__": {"size": 9}, "topic": "x"}') as JsonObject;
    expect(() => apply(template, { params })).toThrow("the parameters do not fit");
    expect(Object.keys(apply({ goal: "g" }, { params }).params ?? {})).toEqual(["__proto__", "topic"]);
  });

  it.each([
    ["${params.colour}", "no such parameter is given"],
    ["${tasks.a.output}", "a goal refers to parameters only"],
    ["${goal}", "a goal refers to parameters only"],
    ["${oops", "its closing brace is missing"],
  ])("refuses a goal with %s", (goal, reason) => {
    const error = refusal(() => apply({ ...template, goal }, { params: { topic: "x" } }));
    expect(error).toMatchObject({ code: "INVALID_REQUEST", details: [{ path: "goal" }] });
    expect(error.message).toContain(reason);
  });
});

describe("A goal without declared parameters", () => {
  it("stays as it is", () => {
    const request = { goal: "Costs ${5}", plan, params: { any: 1 } };
    expect(apply(request)).toEqual(request);
    expect(apply({ goal: "g", capability: "c" })).toEqual({ goal: "g", capability: "c" });
  });

  it("may come from a plan alone, with the goal said elsewhere", () => {
    expect(apply({ plan }, { goal: "As ${you} like" })).toEqual({ plan, goal: "As ${you} like" });
    expect(refusal(() => apply({ plan }))).toMatchObject({
      code: "INVALID_REQUEST",
      message: "nobody says what the goal is",
    });
  });
});

describe("What is wrong with a template", () => {
  it("is found in its goal and its plan", () => {
    expect(checkTemplate(template)).toEqual([]);
    expect(checkTemplate({ goal: "${params.x} ${item} ${5}", plan: { tasks: [] } })).toEqual([
      { path: "goal", message: '${params.x} refers to nothing: declare it under "parameters"' },
      { path: "plan.tasks", message: expect.stringContaining("nothing to do") as string },
    ]);
    expect(checkTemplate({ goal: "${params.x} ${item} ${5}", parameters })).toEqual([
      { path: "goal", message: "${item} is not known yet; a goal refers to parameters only" },
      { path: "goal", message: expect.stringContaining("${5} is no reference") as string },
    ]);
  });
});
