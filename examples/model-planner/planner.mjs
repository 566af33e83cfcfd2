// An agent with the capability `plan` that asks a language model: the one of its run, which the hub gives to every planner. Any model that
// answers with JSON will do; what is wrong with its plan comes back as `problems`, and the model is told.
import { createInterface } from "node:readline";

const { LLM_API_URL, LLM_API_KEY, LLM_MODEL } = process.env;

const RULES = `You break a goal into tasks for other agents. Answer with JSON and nothing else:
{"tasks": [{"id": string, "capability": string, "description": string, "input": object, "dependsOn": [id, …]}], "output": any}
Use only the capabilities you are given. "\${tasks.<id>.output.<field>}" stands for what another task yields.`;

function promptFor({ goal, params, capabilities, problems }) {
  const said = [`Goal: ${goal}`, `Capabilities: ${JSON.stringify(capabilities)}`];
  if (Object.keys(params ?? {}).length > 0) said.push(`Parameters: ${JSON.stringify(params)}`);
  if (problems) said.push(`Your last plan had problems: ${JSON.stringify(problems)}`);
  return said.join("\n");
}

async function ask(prompt) {
  const response = await fetch(`${LLM_API_URL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${LLM_API_KEY}` },
    body: JSON.stringify({
      model: LLM_MODEL,
      messages: [
        { role: "system", content: RULES },
        { role: "user", content: prompt },
      ],
    }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error.message);
  return answer.choices[0].message.content;
}

const { value } = await createInterface({ input: process.stdin })[Symbol.asyncIterator]().next();
const { task_id, task } = JSON.parse(value);
let end;
try {
  // JSON, or Markdown with JSON in it: the hub reads both.
  const plan = await ask(promptFor(task.input_data ?? {}));
  end = { status: "completed", artifacts: [{ type: "structured", name: "output", data: { plan } }] };
} catch (error) {
  end = { status: "failed", artifacts: [], error: { code: "LLM_ERROR", message: error.message } };
}
console.log(JSON.stringify({ version: "1.0", task_id, ...end }));
