import * as fc from "fast-check";
import picocolors from "picocolors";
import { expect, test } from "vitest";
import { AGENT_EVENT_TYPES, type EventDraft } from "../../core/event.ts";
import type { Question } from "../../core/question.ts";
import { renderEventLine } from "./event-line.ts";
import { textWidth } from "./text.ts";
import { anyCharacter } from "../../../test/support/any-character.ts";

const plain = picocolors.createColors(false);
const startMs = Date.parse("2026-01-01T00:00:00.000Z");

const question: Question = {
  id: "q",
  kind: "permission",
  parts: [{ kind: "text", text: "Delete it?" }],
  subject: { tool: "rm" },
  options: [
    { id: "y", name: "Yes", effect: "allow" },
    { id: "n", name: "No", effect: "deny" },
  ],
  blocking: true,
  audience: "client",
  expires_at: "2026-01-01T01:00:00.000Z",
};

function render(draft: EventDraft, width?: number): string {
  const event = { run_id: "r", sequence: 0, timestamp: "2026-01-01T00:01:02.500Z", ...draft };
  return renderEventLine(event, { startMs, paint: plain, width });
}

test.each<[EventDraft, string]>([
  [{ type: "run.queued", payload: { not_before: "2026-01-01T00:02:00.000Z" } }, "○ queued     waits 57.5s"],
  [{ type: "run.paused", payload: {} }, "‖ paused"],
  [{ type: "run.cancel_requested", payload: { reason: "enough" } }, "■ cancel     enough"],
  [
    { type: "run.ended", payload: { status: "timeout", failure: { code: "TIMEOUT", message: "300 s" } } },
    "✗ timeout    TIMEOUT: 300 s",
  ],
  [
    { type: "process.exited", payload: { code: null, signal: "SIGKILL", leftover: 2 } },
    "▪ exited     by SIGKILL · 2 of its processes left behind and killed",
  ],
  [
    { type: "log", payload: { stream: "stdout", text: "hi", dropped_bytes: 2048 } },
    "│ stdout     hi … (2.0 kB more)",
  ],
  [
    { type: "violation", payload: { rule: "atp.event", message: "no", where: "line 3", repeated: 1000 } },
    "! violation  atp.event: no · line 3 · 1,000 more like it",
  ],
  [
    { type: "unknown", payload: { event_type: "heartbeat", payload: { n: 1 } } },
    '? unknown    heartbeat · {"n":1}',
  ],
  [
    { type: "tool_call", payload: { tool: "ls", status: "error", error: "denied" } },
    "→ tool       ls() → denied · error",
  ],
  [{ type: "tool_call", payload: {} }, "→ tool       ?()"],
  [
    {
      type: "tool_call",
      payload: {
        tool: "shell",
        input: { command: "ls x", step: 1 },
        output: { output: "no x", exit_code: 2 },
      },
    },
    "→ tool       $ ls x (exit 2) → no x",
  ],
  [
    {
      type: "tool_call",
      payload: {
        tool: "shell",
        input: { commands: [{ keystrokes: "ls x\n", duration: 1 }, { keystrokes: "C-c" }], step: 1 },
        output: { output: "$ ls x", exit_code: null },
      },
    },
    "→ tool       ⌨ ls x⏎C-c → $ ls x",
  ],
  [
    {
      type: "tool.called",
      payload: { tool: "ls", input: { path: "/" }, status: "success", duration_ms: 5, mode: "mock" },
    },
    '⇄ called     ls({"path":"/"}) · success · 5ms · mock',
  ],
  [
    {
      type: "tool.called",
      payload: {
        tool: "rm",
        input: {},
        status: "error",
        error: "Tool 'rm' not available",
        error_code: "TOOL_NOT_FOUND",
        duration_ms: 0,
        mode: "none",
      },
    },
    "⇄ called     rm({}) · TOOL_NOT_FOUND: Tool 'rm' not available · 0ms",
  ],
  [
    {
      type: "message.added",
      payload: { message: { id: "m", role: "agent", parts: [{ kind: "text", text: "one\ntwo" }] } },
    },
    "« agent      one⏎ two",
  ],
  [{ type: "message.added", payload: { message: { id: "m", role: "user", parts: [] } } }, "» user"],
  [{ type: "message.opened", payload: { id: "m", role: "agent" } }, "« agent      begins to speak"],
  [{ type: "message.extended", payload: { id: "m", part: 0, text: "Hel" } }, "« agent      Hel"],
  [
    {
      type: "message.closed",
      payload: { id: "m", chars: 1, sha256: "", parts: [{ kind: "url", url: "http://x" }] },
    },
    "« agent      said, 1 character · http://x",
  ],
  [{ type: "message.delivered", payload: { id: "m" } }, "✓ delivered  the agent has the message"],
  [{ type: "question.delivered", payload: { id: "q" } }, "✓ delivered  the agent has the answer"],
  [{ type: "question.asked", payload: { question } }, "? question   permission: Delete it? · Yes / No"],
  [
    { type: "question.asked", payload: { question: { ...question, kind: "input", options: [] } } },
    "? question   Delete it?",
  ],
  [
    {
      type: "question.answered",
      payload: {
        id: "q",
        answer: { id: "a", by: { kind: "human", name: "ada" }, outcome: "given", option: "y" },
      },
    },
    "» answer     y · by ada",
  ],
  [
    {
      type: "question.answered",
      payload: { id: "q", answer: { id: "a", by: { kind: "policy" }, outcome: "declined" } },
    },
    "» answer     declined · by the policy",
  ],
  [
    {
      type: "question.answered",
      payload: { id: "q", answer: { id: "a", by: { kind: "client" }, outcome: "given", data: { n: 1 } } },
    },
    '» answer     {"n":1} · by a client',
  ],
  [{ type: "question.withdrawn", payload: { id: "q", reason: "never mind" } }, "· withdrawn  never mind"],
  [
    { type: "question.expired", payload: { id: "q", effect: "deny" } },
    "· expired    nobody answered in time: denied",
  ],
  [
    { type: "question.expired", payload: { id: "q", effect: "fail" } },
    "· expired    nobody answered: the run cannot go on",
  ],
  [
    { type: "session.opened", payload: { protocol: "acp", ids: { session: "s1" } } },
    '▣ session    acp · {"session":"s1"}',
  ],
  [
    { type: "session.parked", payload: { check_at: "2026-01-01T00:02:00.000Z" } },
    "▣ parked     nothing is held here · looked after in 57.5s",
  ],
  [{ type: "artifact.opened", payload: { id: "a", name: "x.md" } }, "◇ artifact   x.md · begins"],
  [{ type: "artifact.extended", payload: { id: "a", size_bytes: 12 } }, "◇ artifact   12 B"],
  [{ type: "run.ended", payload: { status: "rejected" } }, "⊘ rejected"],
  [{ type: "reasoning", payload: { thought: "first\nthen" } }, "∴ reasoning  first⏎ then"],
  [{ type: "reasoning", payload: { plan: ["a", "b"] } }, '∴ reasoning  ["a","b"]'],
  [
    { type: "state_change", payload: { from_state: "a", to_state: "b", reason: "c" } },
    "⇢ state      a → b · c",
  ],
  [
    { type: "artifact_created", payload: { path: "x.md", size_bytes: 12 } },
    "◇ artifact   x.md · 12 B · announced",
  ],
  [
    { type: "error", payload: { error_type: "Rate", message: "slow down", recoverable: true } },
    "✗ error      Rate: slow down · recoverable",
  ],
  [{ type: "progress", payload: { percentage: 33.4 } }, "▸ progress   33%"],
])("an event is one line with its time, kind and essence: %j", (draft, text) =>
  expect(render(draft)).toBe(`  1:02.5  ${text}`),
);

test("an event line fits the terminal, however much an agent says", () => {
  const line = render({ type: "log", payload: { stream: "stdout", text: "日本語 ".repeat(1000) } }, 60);

  expect(textWidth(line)).toBeLessThanOrEqual(60);
  expect(line.endsWith("…")).toBe(true);
});

test("an event line cuts what went into a tool rather than how the call went", () => {
  const input = { query: "long ".repeat(100) };
  const payload = { tool: "search", input, status: "success", duration_ms: 5, mode: "mock" as const };
  const line = render({ type: "tool.called", payload }, 80);

  expect(textWidth(line)).toBe(80);
  expect(line).toMatch(/search\(\{"query":"long .*…\) · success · 5ms · mock$/);
});

test("an event line does not cut the path of a kept workspace", () => {
  const path = `/${"folder/".repeat(20)}end`;

  expect(render({ type: "workspace.kept", payload: { path } }, 60)).toMatch(/folder\/end$/);
});

test("an event line that is shown whole keeps the lines of a message, and lists what may be answered", () => {
  const place = { run_id: "r", sequence: 0, timestamp: "2026-01-01T00:00:00.000Z" };
  const options = { startMs, paint: plain, width: 48, whole: true };
  const parts = [{ kind: "text" as const, text: "one two three four five six\n\n\u001b[2Jend" }];
  const message = { id: "m", role: "agent" as const, parts };
  const indent = " ".repeat(23);

  expect(
    renderEventLine({ ...place, type: "message.added", payload: { message } }, options).split("\n"),
  ).toEqual(["  0:00.0  « agent      one two three four five", `${indent}six`, "", `${indent}\\x1b[2Jend`]);
  expect(
    renderEventLine({ ...place, type: "question.asked", payload: { question } }, options).split("\n"),
  ).toEqual([
    "  0:00.0  ? question   permission: Delete it?",
    `${indent}{"tool":"rm"}`,
    `${indent}1  Yes  allows it`,
    `${indent}2  No  denies it`,
  ]);
});

test("an event line of an empty payload ends without blanks, coloured or not", () => {
  const event = { run_id: "r", sequence: 0, timestamp: "2026-01-01T00:00:00.000Z" };
  const paint = picocolors.createColors(true);
  const line = renderEventLine({ ...event, type: "run.queued", payload: {} }, { startMs, paint });
  // oxlint-disable-next-line no-control-regex -- colours
  expect(line.replaceAll(/\u001b\[\d+m/g, "")).toBe("  0:00.0  ○ queued");
});

test("an event line is one safe line whatever an agent sends as a payload", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...AGENT_EVENT_TYPES),
      fc.object({ values: [fc.string({ unit: anyCharacter }), fc.integer(), fc.constant(null)] }),
      (type, payload) => {
        const keys = [
          "tool",
          "input",
          "model",
          "input_tokens",
          "thought",
          "to_state",
          "path",
          "message",
          "current_step",
        ];
        const hostile = Object.fromEntries(keys.map((key) => [key, payload]));
        // Exactly what the types forbid: an agent is not held to them.
        const line = render({ type, payload: { ...payload, ...hostile } } as EventDraft, 80);
        // oxlint-disable-next-line no-control-regex -- what must never get through
        expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        expect(textWidth(line)).toBeLessThanOrEqual(80);
      },
    ),
  );
});
