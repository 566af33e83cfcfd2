// `node worker.mjs shout|count`: does one thing with a text.
import { createInterface } from "node:readline";

const { value } = await createInterface({ input: process.stdin })[Symbol.asyncIterator]().next();
const { task_id, task } = JSON.parse(value);
const { text = "" } = task.input_data ?? {};
const data = process.argv[2] === "count" ? { words: text.split(/\s+/).length } : { text: text.toUpperCase() };
const artifacts = [{ type: "structured", name: "output", data }];
console.log(JSON.stringify({ version: "1.0", task_id, status: "completed", artifacts }));
