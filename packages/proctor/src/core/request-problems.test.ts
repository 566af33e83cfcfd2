import { describe, expect, it } from "vitest";
import type { ClientRunRequest, RunRequest } from "./ports/hub.ts";
import { clientRequestProblems, requestProblems } from "./request-problems.ts";

const request: RunRequest = { agent: "a", task: { description: "do" } };

describe("a request for a run", () => {
  it("is accepted at the limits of document 000", () => {
    const constraints = { max_steps: 1000, max_tokens: 10_000_000, timeout_seconds: 86_400, budget_usd: 0 };
    expect(requestProblems({ ...request, task: { description: "x".repeat(10_000) }, constraints })).toEqual(
      [],
    );
  });

  it.each([
    ["task.description", { task: { description: "" } }],
    ["task.description", { task: { description: "x".repeat(10_001) } }],
    ["constraints.max_steps", { constraints: { max_steps: 1001 } }],
    ["constraints.max_tokens", { constraints: { max_tokens: 0 } }],
    ["constraints.timeout_seconds", { constraints: { timeout_seconds: 1.5 } }],
    ["constraints.timeout_seconds", { constraints: { timeout_seconds: 86_401 } }],
    ["constraints.budget_usd", { constraints: { budget_usd: -1 } }],
    ["constraints.budget_usd", { constraints: { budget_usd: Number.NaN } }],
    ["context.environment", { context: { environment: { PORT: 8080 } } }],
    ["task.input_data", { task: { description: "x", input_data: [] } }],
  ])("is refused beyond the limits, at %s: %j", (path, change) => {
    const wrong = { ...request, ...change } as unknown as RunRequest;
    expect(requestProblems(wrong).map((problem) => problem.path)).toEqual([path]);
  });
});

describe("a request for a run that its client carries out", () => {
  it("is refused for what only an agent could use", () => {
    const request: ClientRunRequest = {
      task: { description: "t" },
      context: { environment: { KEY: "x" } },
      options: { tools: { tools: [] }, labs: { oauth: {} }, canary: true },
    };
    expect(clientRequestProblems(request).map(({ path }) => path)).toEqual([
      "context.environment",
      "options.tools",
      "options.labs",
      "options.canary",
    ]);
  });
});
