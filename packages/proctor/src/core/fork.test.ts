import { describe, expect, it } from "vitest";
import { runDocument } from "../../test/support/otlp/runs.ts";
import { forkedFrom, forkRequest, knownUntil, type ForkPoint } from "./fork.ts";

const ID = "01890000-0000-7000-8000-000000000001";
const POINTS: ForkPoint[] = [{ kind: "step", step: 2 }, { kind: "end" }];
const trial = runDocument({
  id: ID,
  agent: "term+stdio:agent.py",
  conversation_id: ID,
  task: { description: "Mend it" },
  context: { environment: { KEY: "***" }, workspace_path: "/w" },
  metadata: { suite: "s" },
  options: {
    environment: { workdir: "/app", files: [] },
    terminal: { max_steps: 3 },
    request_violations: [],
    webhook: { url: "https://receiver.example", secret: "***" },
  },
});

describe("The request of a fork", () => {
  it("of a step begins with its files, without what was put there before, and repeats the task", () => {
    const request = forkRequest(trial, POINTS, { step: 2 });
    expect(request).toEqual({
      agent: "term+stdio:agent.py",
      task: { description: "Mend it" },
      constraints: trial.constraints,
      context: { workspace_path: "/w" },
      metadata: { suite: "s", forked_from: { run_id: ID, step: 2 } },
      conversation_id: ID,
      options: {
        environment: { workdir: "/app", from: { run_id: ID, step: 2 } },
        terminal: { max_steps: 3 },
      },
    });
    expect(forkRequest(trial, POINTS, { step: 2, message: "Try make" }).task).toEqual({
      description: "Try make",
    });
  });

  it("names the points that there are where the asked one is none", () => {
    expect(() => forkRequest(trial, POINTS, { step: 3 })).toThrow(/after step 2, at its end/);
    expect(() => forkRequest(trial, [], { step: 3 })).toThrow(/Run the task again instead/);
  });
});

describe("What a fork knows", () => {
  it("ends at its point only for the run that it follows, whatever its metadata say", () => {
    const metadata = { forked_from: { run_id: ID, sequence: 4 } };
    expect(knownUntil({ follows: ID, metadata })).toBe(4);
    expect(knownUntil({ follows: "another", metadata })).toBeUndefined();
    expect(knownUntil({ follows: ID, metadata: { forked_from: ID } })).toBeUndefined();
    expect(forkedFrom({ forked_from: { run_id: ID, sequence: "4" } })).toEqual({ run_id: ID });
  });
});
