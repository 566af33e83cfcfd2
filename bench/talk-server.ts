// Started by talk.ts: the neutral API over a real store, with agents that receive messages and agents that ask questions.
// Prints its port.
import type { AgentDriver, AgentReport } from "../packages/proctor/src/core/ports/driver.ts";
import { textPart } from "../packages/proctor/src/core/message.ts";
import { openServedHub } from "../packages/proctor/test/support/served-hub.ts";

const driver: AgentDriver = {
  talks: { says: true, asks: ["input"] },
  open(job, { kill }) {
    const asks = job.task.description === "ask";
    const killed = new Promise<void>((resolve) => kill.addEventListener("abort", () => resolve()));
    return {
      say: () => Promise.resolve(),
      answer: () => Promise.resolve(),
      async *[Symbol.asyncIterator](): AsyncGenerator<AgentReport> {
        const question = { id: "q", kind: "input" as const, parts: [textPart("next?")] };
        if (asks) yield { kind: "question", question };
        await killed;
        yield { kind: "end", end: { status: "completed" } };
      },
    };
  },
};

const served = await openServedHub({ driver, concurrency: 1000, agentConcurrency: 1000, tokens: [] });
console.log(`port ${new URL(served.url).port}`);
process.on("SIGTERM", () => void served.close().then(() => process.exit(0)));
