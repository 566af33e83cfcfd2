// Documents of conformance for tests of reports: one with every outcome, level and owner, and one around any text.
import { compareBaseline } from "../../../src/conformance/compare-baseline.ts";
import type { ConformanceRule, RuleResult } from "../../../src/conformance/conformance.ts";
import { createDocument, type ConformDocument, type ConformHead } from "../../../src/conformance/document.ts";

type Outcome = RuleResult["outcome"];

export function result(
  rule: Partial<ConformanceRule> & { id: string },
  outcome: Outcome,
  more: Partial<RuleResult> = {},
): RuleResult {
  const whole: ConformanceRule = { owner: "document", title: `about ${rule.id}`, level: "must", ...rule };
  return { rule: whole, outcome, durationMs: 12.4, ...more };
}

export function documentOf(results: readonly RuleResult[], head: Partial<ConformHead> = {}): ConformDocument {
  const whole: ConformHead = {
    agent: "a2a+http://127.0.0.1:9000",
    protocol: "a2a",
    name: "A2A",
    transport: "http",
    versions: ["1.0"],
    bindings: ["JSONRPC", "HTTP+JSON"],
    record: { acts_version: "1.0" },
    proctor_version: "0.1.0",
    checked_at: "2026-01-02T03:04:05.678Z",
    strict: false,
    complete: true,
    interrupted: false,
    ...head,
  };
  return createDocument(whole, { results, durationMs: 1234.5 });
}

const CURL = `curl -sS -X POST http://127.0.0.1:9000/rpc -H 'content-type: application/json' -H 'a2a-version: 1.0' -d '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"no-such-task"}}'`;

/** Every outcome of every level and owner. */
export const EVERYTHING: readonly RuleResult[] = [
  result(
    { id: "a2a.card.served", section: "8.2", title: "the card is served at its well-known path" },
    "pass",
    { record: { runs: {} } },
  ),
  result(
    { id: "a2a.card.media", section: "8.2", level: "should", title: "the card is application/json" },
    "fail",
    {
      reason: "content-type is text/plain\nserve the card as application/json",
      expected: "application/json",
      got: "text/plain; charset=utf-8",
      reproduce: "curl -sSi http://127.0.0.1:9000/.well-known/agent-card.json",
    },
  ),
  result(
    {
      id: "a2a.task.unknown",
      section: "3.3.2",
      title: "a task that does not exist is answered with TaskNotFoundError",
    },
    "fail",
    {
      reason: "the error has another code\nanswer with code -32001",
      expected: '{"code":-32001}',
      got: '{"code":-32603,"message":"Internal error"}',
      reproduce: CURL,
      evidence: {
        sent: '{"method":"GetTask"}',
        received: [{ status: 200, text: '{"error":{"code":-32603}}' }],
      },
    },
  ),
  result(
    { id: "a2a.task.cancel", section: "3.1.5", title: "a task that has ended cannot be cancelled" },
    "fail",
    {
      reason: "it was cancelled\nanswer with TaskNotCancelableError",
    },
  ),
  result({ id: "a2a.task.list", section: "3.1.4", title: "tasks are listed newest first" }, "unevaluated", {
    reason: "the agent has no tasks",
  }),
  result({ id: "a2a.task.history", section: "3.1.4", level: "may", title: "history is kept" }, "fail", {
    reason: "there is no history\nkeep it if you can",
  }),
  result({ id: "a2a.task.page", section: "3.1.4", level: "may", title: "pages are offered" }, "unevaluated", {
    reason: "the agent has no tasks",
  }),
  result(
    {
      id: "a2a.http.status",
      section: "11.6",
      title: "errors have their HTTP status",
      disputed: "section 9.5 says 200",
    },
    "fail",
    {
      reason: "the status is 200\nanswer with 404",
      expected: "404",
      got: "200",
    },
  ),
  result(
    { id: "a2a.http.length", title: "responses say their length", owner: "proctor", level: "should" },
    "fail",
    {
      reason: "there is no content-length\nsend it where you know it",
    },
  ),
  result({ id: "a2a.http.alive", title: "connections are kept alive", owner: "proctor" }, "unevaluated", {
    reason: "it answers once",
  }),
  result({ id: "a2a.http.keep", title: "answers come in time", owner: "proctor" }, "pass"),
];

/** The same, compared with a document in which one of the failures was there already. */
export function compared(): ConformDocument {
  const document = documentOf(EVERYTHING);
  const outcomes = new Map<string, Outcome>([
    ["a2a.card.served", "fail"],
    ["a2a.task.unknown", "fail"],
    ["a2a.task.cancel", "pass"],
    ["a2a.task.list", "unevaluated"],
  ]);
  const baseline = {
    file: "base.json",
    agent: document.agent,
    checked_at: "2026-01-01T00:00:00.000Z",
    outcomes,
  };
  return {
    ...document,
    baseline: compareBaseline(
      document,
      baseline,
      EVERYTHING.map(({ rule }) => rule),
    ),
  };
}

/** The text wherever an agent, its address or its card can put one. */
export function documentAround(text: string): ConformDocument {
  const said = {
    reason: `${text}\n${text}`,
    expected: text,
    got: text,
    reproduce: text,
    evidence: { sent: text },
  };
  const results = [
    result({ id: "x.a.failed", section: text, title: text }, "fail", said),
    result({ id: "x.a.disputed", section: text, title: text, disputed: text }, "fail", said),
    result({ id: "x.b.unevaluated", section: text, title: text }, "unevaluated", said),
    result({ id: "x.b.advice", title: text, owner: "proctor" }, "fail", said),
    result({ id: "x.c.passed", section: text, title: text }, "pass"),
  ];
  const document = documentOf(results, { agent: text, versions: [text], bindings: [text], transport: text });
  const baseline = { file: text, agent: text, outcomes: new Map() };
  return { ...document, baseline: compareBaseline(document, baseline, []) };
}
