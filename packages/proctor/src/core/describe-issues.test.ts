import { describe, expect, it } from "vitest";
import { z } from "zod";
import { describeIssues } from "./describe-issues.ts";

const schema = z.looseObject({
  version: z.union([z.string(), z.number()]),
  task: z.looseObject({ description: z.string().min(1).max(5) }),
  status: z.enum(["completed", "failed"]),
  count: z.number().min(1).max(3).optional(),
  own: z.custom((value) => value === 1, "must be one").optional(),
  list: z.array(z.string()).optional(),
});
const good = { version: "1", task: { description: "x" }, status: "failed" };

function said(value: unknown, root?: string): string[] {
  const { error } = schema.safeParse(value);
  return describeIssues(error?.issues ?? [], value, root).map(({ message }) => message);
}

describe("describeIssues", () => {
  it.each([
    [{}, ["response.version is missing", "response.task is missing", "response.status is missing"]],
    [{ ...good, version: null }, ["response.version must be a text or a number, and is null"]],
    [{ ...good, task: { description: 3 } }, ["response.task.description must be a text, and is a number"]],
    [{ ...good, task: { description: "" } }, ["response.task.description must not be empty"]],
    [{ ...good, task: { description: "longer" } }, ["response.task.description is longer than 5 characters"]],
    [{ ...good, status: "done" }, ['response.status must be "completed" or "failed"']],
    [{ ...good, count: 0 }, ["response.count must be at least 1"]],
    [{ ...good, count: 9 }, ["response.count must be at most 3"]],
    [{ ...good, own: 2 }, ["response.own must be one"]],
    [{ ...good, list: [1] }, ["response.list.0 must be a text, and is a number"]],
    [null, ["expected an object, got null"]],
    [[], ["expected an object, got a list"]],
    ["x", ["expected an object, got a text"]],
  ])("says in words what is wrong with %j", (value, expected) => {
    expect(said(value, "response")).toEqual(expected);
  });

  it("puts only the path in front where the value has no name", () => {
    expect(said({ ...good, version: undefined })).toEqual(["version is missing"]);
  });
});
