// An agent over HTTP that does nothing by itself: the test takes each task it is given, and plays it step by step.
import { httpStage } from "./atp/stages.ts";
import type { PuppetTask } from "./protocols/puppet.ts";
import type { AgentSpec } from "../../src/core/agent.ts";
import { atpEventOf, atpResponseOf } from "./atp-words.ts";

export interface SteppedTask extends PuppetTask {
  /** Says its next events: `progress`, numbered from 0. */
  progress(count: number): Promise<void>;
  complete(): Promise<void>;
}

export interface SteppedAgent {
  spec: AgentSpec;
  /** The task that was asked for with this description; waits for it. */
  asked(description: string): Promise<SteppedTask>;
  close(): Promise<void>;
}

export async function raiseSteppedAgent(): Promise<SteppedAgent> {
  const tasks = new Map<string, SteppedTask>();
  const waiting = new Map<string, (task: SteppedTask) => void>();
  const puppet = await httpStage.raise((told) => {
    const { description } = told.request["task"] as { description: string };
    const task = steps(told);
    const wake = waiting.get(description);
    if (wake) wake(task);
    else tasks.set(description, task);
    waiting.delete(description);
  });
  return {
    spec: puppet.spec,
    asked(description) {
      const there = tasks.get(description);
      tasks.delete(description);
      return there ? Promise.resolve(there) : new Promise((resolve) => waiting.set(description, resolve));
    },
    close: () => puppet.close(),
  };
}

function steps(told: PuppetTask): SteppedTask {
  let next = 0;
  return {
    ...told,
    async progress(count) {
      for (const end = next + count; next < end; next++) {
        await told.event(atpEventOf(told, next, "progress", { current_step: next }));
      }
    },
    complete: () => told.respond(atpResponseOf(told)),
  };
}
