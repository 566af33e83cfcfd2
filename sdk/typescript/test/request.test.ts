import * as fc from "fast-check";
import { expect, test } from "vitest";
import { checkRequest } from "../src/protocol/check-request.ts";
import { TASK_ID } from "./run-agent.ts";
import { validRequest } from "../../atp-cases/schemas.ts";

const FULL = {
  version: "1.0",
  task_id: TASK_ID,
  task: {
    description: "d",
    input_data: { a: 1 },
    expected_artifacts: [{ type: "file", format: "markdown", name: "report.md" }],
  },
  constraints: {
    max_steps: 50,
    max_tokens: 100,
    timeout_seconds: 300,
    allowed_tools: ["t"],
    budget_usd: 1.5,
  },
  context: { tools_endpoint: "http://h:1/tools", workspace_path: "/w", environment: { A: "b" } },
  metadata: { test_id: "x" },
};

const FIELDS = [
  ["version"],
  ["task_id"],
  ["task"],
  ["task", "description"],
  ["task", "input_data"],
  ["task", "expected_artifacts"],
  ["task", "expected_artifacts", "0"],
  ["task", "expected_artifacts", "0", "type"],
  ["task", "expected_artifacts", "0", "name"],
  ["constraints"],
  ["constraints", "max_steps"],
  ["constraints", "max_tokens"],
  ["constraints", "timeout_seconds"],
  ["constraints", "allowed_tools"],
  ["constraints", "budget_usd"],
  ["context"],
  ["context", "tools_endpoint"],
  ["context", "workspace_path"],
  ["context", "environment"],
  ["metadata"],
  ["unknown"],
];

function withField(path: readonly string[], value: unknown): unknown {
  const copy = structuredClone(FULL) as Record<string, unknown>;
  let at = copy;
  for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>;
  const last = path.at(-1) ?? "";
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

/** Whether our check is looser or stricter than the schema on purpose. */
function differsOnPurpose(path: readonly string[], value: unknown): boolean {
  const field = path.join(".");
  return (
    (field === "task_id" && typeof value === "string") ||
    (field === "version" && typeof value === "string") ||
    (field.startsWith("task.expected_artifacts") && typeof value === "string") ||
    (field === "task.expected_artifacts" && Array.isArray(value)) ||
    (field === "constraints.allowed_tools" && value === null) ||
    (field === "context.tools_endpoint" && typeof value === "string") ||
    (field === "task.expected_artifacts.0" && value === undefined)
  );
}

test("agrees with the document's schema about every field and any value", () => {
  const values = fc.oneof(
    fc.constantFrom(
      undefined,
      null,
      0,
      1,
      -1,
      1.5,
      1000,
      1001,
      86_400,
      86_401,
      "",
      "x",
      "x".repeat(10_001),
      "\u{1f600}".repeat(6000),
    ),
    fc.constantFrom([], {}, ["a"], [1], { a: "b" }, { a: 1 }, true, "file", "structured", 10_000_001),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(fc.constantFrom(...FIELDS), values, (path, value) => {
      fc.pre(!differsOnPurpose(path, value));
      const request = withField(path, value);
      expect(checkRequest(request)).toHaveLength(validRequest(request) ? 0 : 1);
    }),
    { numRuns: 3000 },
  );
});

test.for([
  ["task_id", "not a uuid", true],
  ["task_id", "", false],
  ["task_id", "x".repeat(257), false],
  ["version", "1.99", true],
  ["version", "2.0", false],
  ["version", "0.9", false],
  ["version", "1", false],
  ["task.expected_artifacts", ["report.md"], true],
  ["constraints.allowed_tools", null, true],
  ["context.tools_endpoint", "file:///etc/passwd", false],
  ["context.tools_endpoint", "tools", false],
  ["context.environment", Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`V${i}`, ""])), false],
] as const)("%s: %j is accepted: %s", ([path, value, accepted]) => {
  const problems = checkRequest(withField(path.split("."), value));
  expect(problems.map(({ field }) => field)).toEqual(accepted ? [] : [path]);
});

test("a refused request names every problem at once", () => {
  const problems = checkRequest({
    version: 1,
    task: { description: 5 },
    constraints: [],
    context: { environment: [] },
  });
  expect(problems.map(({ field }) => field)).toEqual([
    "version",
    "task_id",
    "constraints",
    "task.description",
    "context.environment",
  ]);
});
