// The examples of docs/reference/checks.md, run: each of them comes out, and says, what the document says. Those that are
// about files in a workspace are in workspace-examples.test.ts, those about texts in text-examples.test.ts.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { block, blocks, section } from "../../../test/support/markdown.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { openTestHub, type TestHub } from "../../../test/support/test-hub.ts";
import { runCommand } from "../../channels/process/run-command.ts";
import { createToolHost } from "../../doubles/tools/tool-host.ts";
import { listen, type Listening } from "../../server/listen.ts";
import { openKeptWorkspace } from "../../stores/workspaces/open-kept.ts";
import { loadSuite } from "../load.ts";
import { createPlan } from "../plan.ts";
import { runSuite } from "../run/run-suite.ts";
import type { CaseResult } from "../result.ts";
import { CHECKS } from "./registry.ts";

const document = readFileSync(new URL("../../../../../docs/reference/checks.md", import.meta.url), "utf8");
const EXPECTED = /^# (pass|fail|unevaluated): (.*)$/gm;

interface Example {
  agent: string;
  type: string;
  check: object;
  /** Outcome and message. */
  expected: [string, string];
}

const examples = blocks(document, "yaml").flatMap((text): Example[] => {
  const expected = Array.from(text.matchAll(EXPECTED), ([, outcome = "", message = ""]) => [
    outcome,
    message,
  ]);
  if (expected.length === 0 || /^# (?:in the workspace|of runs|of texts|of terminal tasks)/.test(text))
    return [];
  const checks = parse(text) as { type: string }[];
  if (checks.length !== expected.length) throw new Error(`not one comment for each check:\n${text}`);
  const agent = text.startsWith("# of clumsy.mjs\n") ? "clumsy" : "researcher";
  return checks.map((check, index) => {
    return { agent, type: check.type, check, expected: expected[index] as [string, string] };
  });
});

const folder = temporaryFolder("examples");
let server: Listening;
let opened: TestHub;

beforeAll(async () => {
  let url = "";
  const startProcess = () => {
    throw new Error("no tool here is a program");
  };
  const tools = createToolHost({ baseUrl: async () => url, allowHosts: [], startProcess });
  server = await listen({ app: tools, host: "127.0.0.1", port: 0 });
  url = server.url;
  opened = await openTestHub({ tools });
  for (const name of ["researcher", "clumsy"]) {
    writeFileSync(join(folder, `${name}.mjs`), block(document, "js", `// ${name}.mjs`));
  }
});

afterAll(async () => {
  await opened.close();
  await server.close(0);
});

test.each(["researcher", "clumsy"])("the examples of %s come out as the document says", async (agent) => {
  const mine = examples.filter((example) => example.agent === agent);
  const whole = blocks(document, "yaml").find((text) => text.includes("researcher.mjs")) ?? "";
  const suite = parse(whole) as { tests: { assertions: object[] }[] };
  for (const each of suite.tests) each.assertions = mine.map(({ check }) => check);
  const path = join(folder, `${agent}.yaml`);
  writeFileSync(path, stringify(suite));

  const plan = createPlan([await loadSuite(path, { variables: {} })], { agents: [agent] });
  const results: CaseResult[] = [];
  const collect = { start() {}, caseEnded: (result: CaseResult) => void results.push(result), end() {} };
  const parts = { services: { runCommand }, openWorkspace: openKeptWorkspace };
  await runSuite(plan, opened.hub, { ...parts, reporters: [collect] });
  const found = results[0]?.attempts[0]?.checks.map(({ type, verdict }) => {
    return { type, outcome: verdict.outcome, message: steady(verdict.message) };
  });
  expect(found).toEqual(
    mine.map(({ type, expected: [outcome, message] }) => ({ type, outcome, message: steady(message) })),
  );
});

test("every check has an example that passes and one that fails, in its section", () => {
  for (const { type } of CHECKS) {
    const outcomes = Array.from(section(document, type).matchAll(/^\\# (pass|fail):/gm), ([, word]) => word);
    expect(new Set(outcomes), type).toEqual(new Set(["pass", "fail"]));
  }
});

/** Without what differs each time: where in the log an event stands, and how long something took. */
function steady(message: string): string {
  return message.replaceAll(/\b(events?) \d+( to \d+)?/g, "$1 n").replaceAll(/\b[\d.]+ s\b/g, "n s");
}
