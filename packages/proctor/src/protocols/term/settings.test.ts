import { expect, it } from "vitest";
import type { Job } from "../../core/ports/driver.ts";
import { timeoutMs } from "../../core/task.ts";
import { termSettings } from "./settings.ts";

const job = (options?: Job["options"], constraints: Job["constraints"] = {}): Job => ({
  runId: "r",
  spec: { protocol: "term", transport: "stdio", command: ["a"] },
  task: { description: "x" },
  constraints,
  context: {},
  metadata: {},
  traceId: "0",
  ...(options && { options }),
});

it("a terminal run has a limit for one answer that is shorter than the time of the run", () => {
  expect(termSettings(job()).responseMs).toBeLessThan(timeoutMs({}, true));
});

it("a terminal run has the defaults of the document, and ours where it names none", () => {
  expect(termSettings(job())).toEqual({
    maxSteps: 100,
    responseMs: 300_000,
    commandMs: 120_000,
    shell: "persistent",
    noopLimit: 3,
    lenient: false,
    confirmCompletion: false,
    outputLimit: 10_000,
    snapshots: "auto",
  });
});

it("a terminal run takes its options, and the smaller of two limits of steps", () => {
  const options: Job["options"] = {
    terminal: {
      max_steps: 7,
      agent_response_seconds: 1.5,
      command_seconds: 2,
      shell: "fresh",
      noop_limit: 0,
      lenient: true,
      confirm_completion: true,
      output_limit: 50,
    },
    environment: { snapshots: "each" },
  };
  expect(termSettings(job(options, { max_steps: 9 }))).toEqual({
    maxSteps: 7,
    responseMs: 1500,
    commandMs: 2000,
    shell: "fresh",
    noopLimit: 0,
    lenient: true,
    confirmCompletion: true,
    outputLimit: 50,
    snapshots: "each",
  });
  expect(termSettings(job(options, { max_steps: 3 })).maxSteps).toBe(3);
  expect(termSettings(job({}, { max_steps: 300 })).maxSteps).toBe(300);
});
