#!/usr/bin/env node
// An agent that sometimes gives a wrong answer: in FLAKY_RATE of its runs, 0.02 unless said otherwise.
import { serve } from "@proctor/agent";

await serve(async (task) => {
  const { a, b } = task.input;
  const wrong = Math.random() < Number(process.env["FLAKY_RATE"] ?? "0.02");
  return { sum: wrong ? a + b + 1 : a + b };
});
