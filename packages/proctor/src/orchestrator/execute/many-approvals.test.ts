import { expect, it } from "vitest";
import { eventually, HANG_MS } from "../../../test/support/eventually.ts";
import { openGoalHub } from "../../../test/support/goals/goal-hub.ts";
import type { OpenQuestion } from "../../core/ports/store.ts";

const COUNT = 130;

it(
  "A goal with more than a hundred waiting approvals lists all of them in pages, and goes on with every answer",
  {
    timeout: HANG_MS,
  },
  async () => {
    const hub = await openGoalHub({ worker: { work: () => ({}) } });
    try {
      const tasks = Array.from({ length: COUNT }, (_, index) => ({
        id: `t${index}`,
        agent: "worker",
        review: { human: true },
      }));
      const { goal } = await hub.goals.submit({ goal: "Ask", concurrency: COUNT, plan: { tasks } });
      const listed = async (): Promise<OpenQuestion[]> => {
        const found: OpenQuestion[] = [];
        for (let cursor: string | null = ""; cursor !== null;) {
          const page = await hub.hub.questions({
            goal: goal.id,
            audience: "human",
            limit: 50,
            ...(cursor !== "" && { cursor }),
          });
          found.push(...page.items);
          cursor = page.next_cursor;
        }
        return found;
      };
      const open = await eventually(async () => {
        const all = await listed();
        expect(all).toHaveLength(COUNT);
        return all;
      });
      expect(new Set(open.map(({ question }) => question.id)).size).toBe(COUNT);
      for (const { run_id: id, question } of open)
        await hub.hub.answer(id, { question_id: question.id, option: "approve", by: { kind: "human" } });
      expect((await hub.ended(goal.id)).status).toBe("completed");
      expect((await hub.goals.get(goal.id)).counts).toMatchObject({ completed: COUNT });
    } finally {
      await hub.close();
    }
  },
);
