#!/usr/bin/env node
// Sends a customer's message to the right desk. Its rules are what a change may break.
import { readFileSync } from "node:fs";

const RULES = [
  { desk: "billing", words: ["invoice", "refund", "charged", "payment"] },
  { desk: "technical", words: ["error", "crash", "login", "slow"] },
  { desk: "sales", words: ["price", "upgrade", "licence", "trial"] },
];

const { task_id, task } = JSON.parse(readFileSync(0, "utf8"));
const message = task.description.toLowerCase();
const desk = RULES.find(({ words }) => words.some((word) => message.includes(word)))?.desk ?? "reception";
const artifacts = [{ type: "structured", name: "routing", data: { desk } }];
console.log(
  JSON.stringify({ version: "1.0", task_id, status: "completed", artifacts, metrics: { total_steps: 1 } }),
);
