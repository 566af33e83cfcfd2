// Every rule can fail, and only for the agent that breaks it; an agent without fault passes all.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it, test } from "vitest";
import { HANG_MS } from "../../../../test/support/eventually.ts";
import { rows } from "../../../../test/support/markdown.ts";
import type { AgentSpec } from "../../../core/agent.ts";
import type { ConformanceOptions, RuleResult } from "../../../conformance/conformance.ts";
import { agentOf } from "../../../../test/support/term/agents.ts";
import { termConformance } from "./conformance.ts";
import { RULES, type TermRule, type RuleId } from "./rules.ts";

async function check(agent: AgentSpec, options: Partial<ConformanceOptions> = {}): Promise<RuleResult[]> {
  const results: RuleResult[] = [];
  const { signal } = new AbortController();
  for await (const result of termConformance.check(agent, { timeoutMs: HANG_MS, signal, ...options }))
    results.push(result);
  return results;
}

/** Writes a file in two steps, then is done; `at` changes what it does. */
const GOOD = `
  const fs = require("fs");
  const answer = (request) => request.step >= 3 ? { command: null, task_complete: true, text: "done" }
    : { command: "echo " + request.step, task_complete: false };
  process.on("uncaughtException", (error) => { console.error(error.message); process.exit(1); });
`;
const LOOP = `for (let request = await next(); request; request = await next()) { const reply = answer(request); say(reply); if (reply.task_complete) return; }`;
const LEGACY = `answerOld = (request) => request.step >= 2 ? { commands: [], task_complete: true } : { analysis: "a", plan: "p", commands: [{ keystrokes: "ls\\n", duration: 0.5 }], task_complete: false };`;

const good = (): AgentSpec => agentOf(`${GOOD}${LOOP}`);
const withAnswer = (expression: string): string =>
  `${GOOD}for (let request = await next(); request; request = await next()) { const reply = answer(request); ${expression}; if (reply.task_complete) return; }`;
const crashIf = (condition: string): string =>
  `${GOOD}for (let request = await next(); request; request = await next()) { if (${condition}) { console.error("Error: cannot take it"); process.exit(3); } const reply = answer(request); say(reply); if (reply.task_complete) return; }`;
const raw = (onNonsense: string): string => `onNonsense = () => { ${onNonsense} }; ${GOOD}${LOOP}`;

const WRONG: Record<RuleId, string> = {
  "term.answer.given": `await next(); process.exit(1);`,
  "term.answer.flushed": `${GOOD} const all = []; for (let request = await next(); request; request = await next()) all.push(answer(request)); all.forEach(say);`,
  "term.answer.json": withAnswer(`request.step === 1 ? say("echo hello") : say(reply)`),
  "term.answer.types": withAnswer(
    `say(request.step === 1 ? { command: ["ls"], task_complete: false } : reply)`,
  ),
  "term.answer.single": withAnswer(`say(reply); if (request.step === 1) say(reply)`),
  "term.answer.line": withAnswer(
    `reply.task_complete ? process.stdout.write(JSON.stringify(reply)) : say(reply)`,
  ),
  "term.answer.useful": withAnswer(
    `say(request.step === 1 ? { command: null, task_complete: false } : reply)`,
  ),
  "term.stdout.unasked": `say("Agent ready."); ${GOOD}${LOOP}`,
  "term.stdout.clean": withAnswer(`say("thinking..."); say(reply)`),
  "term.alive": `${GOOD} say(answer(await next()));`,
  "term.request.nulls": crashIf(`request.step === 2 && request.exit_code === null`),
  "term.request.absent": crashIf(`request.last_command === undefined`),
  "term.request.unknown_fields": crashIf(`"x_novelty" in request`),
  "term.request.unicode": crashIf(`/[^\\x00-\\x7f]/.test(request.output ?? "")`),
  "term.request.large": crashIf(`(request.output ?? "").length > 65536`),
  "term.request.failure": crashIf(`(request.exit_code ?? 0) !== 0`),
  "term.request.again": crashIf(`request.error !== undefined`),
  "term.invalid.complete": raw(`say({ command: null, task_complete: true }); process.exit(0);`),
  "term.invalid.exit": raw(`console.error("bad request"); process.exit(0);`),
  "term.end.exits": withAnswer(`say(reply); if (reply.task_complete) await forever()`),
  "term.end.eof": `${GOOD}${LOOP} if (closed) await forever();`,
  "term.end.sigterm": `process.on("SIGTERM", () => {}); ${GOOD}${LOOP}`,
  "term.end.leftover": withAnswer(
    `say(reply); if (reply.task_complete) require("child_process").spawn("sleep", ["300"], { stdio: "ignore", detached: true }).unref()`,
  ),
};

test("A terminal agent whose reader of lines breaks at U+2028 is never sent one as it is", async () => {
  const guard = `process.stdin.on("data", (chunk) => { if (/[\\u2028\\u2029]/.test(chunk.toString())) process.exit(4); });`;
  const [result] = await check(agentOf(`${guard}${GOOD}${LOOP}`), { only: ["term.request.unicode"] });
  expect(result).toMatchObject({ rule: { id: "term.request.unicode" }, outcome: "pass" });
});

describe.concurrent("a terminal agent without fault", () => {
  test("passes every rule", async () => {
    const results = await check(good());
    expect(results.filter(({ outcome }) => outcome !== "pass")).toEqual([]);
    expect(results.map(({ rule }) => rule.id)).toEqual(RULES.map(({ id }) => id));
  });

  test("of the legacy format passes, too", async () => {
    const agent = agentOf(`let answerOld; ${LEGACY} ${GOOD}
      for (let request = await next(); request; request = await next()) { const reply = answerOld(request); say(reply); if (reply.task_complete) return; }`);
    const results = await check(agent, {
      only: ["term.answer.types", "term.answer.useful", "term.end.exits"],
    });
    expect(results.map(({ outcome }) => outcome)).toEqual(["pass", "pass", "pass"]);
  });

  test("passes when it waits for a better line, or logs", async () => {
    const [complete, exit] = await check(agentOf(`console.error("log"); ${raw("")}`), {
      only: ["term.invalid.complete", "term.invalid.exit"],
    });
    expect([complete?.outcome, exit?.outcome]).toEqual(["pass", "pass"]);
  });
});

describe.concurrent("an agent that breaks one rule", () => {
  test.each(RULES.map(({ id }) => ({ id })))("fails $id", async ({ id }) => {
    // The answer of one that does not flush never comes before its input ends; then it has as long again, in which a slow machine must start it.
    const timeoutMs = id === "term.answer.flushed" ? 10_000 : HANG_MS;
    const [result, ...others] = await check(agentOf(WRONG[id]), { only: [id], timeoutMs });
    expect(others).toEqual([]);
    expect(result).toMatchObject({ rule: { id }, outcome: "fail" });
    expect(result?.reason).toMatch(/^.+\n.+$/);
    expect(result?.evidence).toMatchObject({
      sent: expect.any(String) as string,
      received: expect.any(Array) as unknown[],
    });
  });
});

describe("the list of rules", () => {
  it("is that of docs/reference/term.md", () => {
    const page = readFileSync(
      fileURLToPath(new URL("../../../../../../docs/reference/term.md", import.meta.url)),
      "utf8",
    );
    const known = RULES.map(({ id, level, title, section = "Proctor's own" }: TermRule) => [
      `\`${id}\``,
      level,
      title,
      section,
    ]);
    const listed = rows(page).filter(
      ([cell, level]) => cell?.startsWith("`term.") === true && /^(?:must|should)$/.test(level ?? ""),
    );
    expect(listed).toEqual(known);
  });

  it("has a rule once, and cites headings of the document", () => {
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
    const headings = [
      "Overview",
      "Communication Flow",
      "Request Fields",
      "Response Format",
      "Response Fields",
      "Agent Lifecycle",
      "Reading Input Correctly",
      "Writing Output Correctly",
      "Logging (stderr)",
      "Complete Example",
      "Error Handling",
    ];
    expect(new Set(RULES.flatMap(({ section }: TermRule) => section ?? []))).toEqual(new Set(headings));
  });
});

it("a terminal agent that cannot be tested is reported with the reason, and a built-in one is left out", async () => {
  const [given, json] = await check({ protocol: "term", transport: "stdio", command: ["gone.py"] });
  expect(given).toMatchObject({
    outcome: "fail",
    reason: expect.stringContaining("there is no such file") as string,
  });
  expect(json).toMatchObject({ outcome: "unevaluated" });
  expect(await check({ protocol: "term", transport: "builtin", command: ["nop"] })).toEqual([]);
});

it("a terminal agent of the legacy format is held to its types as well", async () => {
  for (const commands of ["ls", ["ls\\n"], [{ keystrokes: "a", duration: "1" }]]) {
    const agent = agentOf(
      `await next(); say({ commands: ${JSON.stringify(commands)} }); await next(); say({ task_complete: true });`,
    );
    expect(await check(agent, { only: ["term.answer.types"] })).toMatchObject([{ outcome: "fail" }]);
  }
});

it("a report about a terminal agent shows no secret", async () => {
  const [result] = await check(
    agentOf(`await next(); console.error("Error: " + process.env.KEY); process.exit(1);`),
    {
      only: ["term.answer.given"],
      environment: { KEY: "s3cr3t-of-mine" },
    },
  );
  expect(result?.outcome).toBe("fail");
  expect(JSON.stringify(result)).not.toContain("s3cr3t-of-mine");
});
