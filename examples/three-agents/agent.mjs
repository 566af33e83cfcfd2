// Three agents of ATP in one program: `node agent.mjs plan|research|review`. No model is needed: each says what a model might.
import { createInterface } from "node:readline";

const ROLES = {
  /** Breaks the goal into tasks, for whoever can do them. */
  plan: ({ goal }) => ({
    tasks: [
      {
        id: "research",
        capability: "research",
        foreach: ["size", "colour"],
        description: "Find out about the ${item} for: ${goal}",
        input: { about: "${item}" },
      },
      {
        id: "write",
        capability: "write",
        description: `Write it up: ${goal}`,
        input: { facts: "${tasks.research.output}" },
        review: { agent: true, human: true, rubric: "It has a title." },
      },
    ],
    output: { report: "${tasks.write.output.text}" },
  }),
  research: ({ about }) => ({ fact: `The ${about} of a bee is a matter of its kind.` }),
  /** Asks for another attempt once, and says what is missing. */
  review: ({ output }) =>
    output.text.startsWith("# ")
      ? { verdict: "approve" }
      : { verdict: "retry", feedback: "It needs a title.", reason: "no title" },
};

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const { value } = await lines.next();
const { task_id, task } = JSON.parse(value);
const data = ROLES[process.argv[2]](task.input_data ?? {});
const artifacts = [{ type: "structured", name: "output", data }];
console.log(JSON.stringify({ version: "1.0", task_id, status: "completed", artifacts }));
