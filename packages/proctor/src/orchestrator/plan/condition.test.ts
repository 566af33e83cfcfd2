import { describe, expect, it } from "vitest";
import type { Json } from "../../core/json.ts";
import type { Condition, ConditionTest } from "../../core/plan.ts";
import { holds } from "./condition.ts";
import type { Values } from "./values.ts";

const outputs: Record<string, Json> = {
  score: 7,
  word: "yes",
  list: ["yes", "no"],
  object: { a: 1, b: [2] },
};
const values: Values = {
  goal: "g",
  params: { wanted: "yes", absent: null, order: { b: [2], a: 1 } },
  outputOf: (task) => outputs[task],
};

const answer = (when: Condition) => holds(when, values);

describe("A condition that is a reference", () => {
  it.each<[Json, boolean]>([
    [true, true],
    [1, true],
    ["false", true],
    [[0], true],
    [{ a: null }, true],
    [false, false],
    [0, false],
    ["", false],
    [[], false],
    [{}, false],
    [null, false],
  ])("holds unless its value is false, 0, empty or null: %j", (value, expected) => {
    expect(holds("${params.value}", { ...values, params: { value } })).toEqual({ holds: expected });
    expect(holds({ value: "${params.value}" }, { ...values, params: { value } })).toEqual({
      holds: expected,
    });
  });

  it("does not hold where the value is missing", () => {
    expect(answer("${tasks.skipped.output.x}")).toEqual({ holds: false });
    expect(answer("${tasks.score.output.x}")).toEqual({ holds: false });
  });

  it.each(["yes", "", "not ${goal}", "${goal} ${goal}", "$${goal}", "${nothing}", "${goal"])(
    "is a problem where it is not one reference alone: %j",
    (when) => {
      expect(answer(when)).toHaveProperty("problem");
    },
  );
});

describe("A condition with tests", () => {
  const score = "${tasks.score.output}";
  const gone = "${tasks.gone.output}";

  it.each<[ConditionTest, boolean]>([
    [{ value: score, equals: 7 }, true],
    [{ value: score, equals: "7" }, false],
    [{ value: "${tasks.word.output}", equals: "${params.wanted}" }, true],
    [{ value: "${tasks.object.output}", equals: "${params.order}" }, true],
    [{ value: "is ${tasks.word.output}", equals: "is yes" }, true],
    [{ value: score, not_equals: 7 }, false],
    [{ value: score, not_equals: 8 }, true],
    [{ value: "${params.wanted}", in: ["no", "${tasks.word.output}"] }, true],
    [{ value: "${params.wanted}", in: [] }, false],
    [{ value: score, greater: 7 }, false],
    [{ value: score, greater: 6.5 }, true],
    [{ value: score, less: 7 }, false],
    [{ value: score, greater: 6, less: 8 }, true],
    [{ value: score, greater: 6, less: 8, not_equals: 7 }, false],
    [{ value: score, exists: true }, true],
    [{ value: score, exists: false }, false],
    [{ value: "${params.absent}", exists: true }, true],
    [{ value: gone, exists: false }, true],
    [{ value: gone, exists: true }, false],
    [{ value: gone, equals: null }, false],
    [{ value: gone, not_equals: 1 }, true],
    [{ value: gone, in: [null] }, false],
    [{ value: gone, greater: 1 }, false],
    [{ value: gone }, false],
  ])("holds when all of them do: %j", (when, expected) => {
    expect(answer(when)).toEqual({ holds: expected });
  });

  it("is a problem where it compares what is no number", () => {
    expect(answer({ value: "${tasks.word.output}", greater: 1 })).toEqual({
      problem: expect.stringContaining("which is no number") as string,
    });
  });

  it("is a problem where it compares with nothing", () => {
    expect(answer({ value: score, equals: gone })).toEqual({
      problem: expect.stringContaining("${tasks.gone.output} refers to nothing") as string,
    });
    expect(answer({ value: [gone], equals: 1 })).toHaveProperty("problem");
  });
});
