// What a user who watches a mock LLM sees: where it is, a line for each call with its tokens, and how often each answer
// was given.
import type { LlmCall, LlmScript } from "../../../core/llm-script.ts";
import type { MockLlmReady } from "../../compose/serve-mock-llm.ts";
import { formatCount, formatDuration, plural } from "../../terminal/amounts.ts";
import type { Screen } from "../../terminal/screen.ts";
import { renderTable } from "../../terminal/table.ts";
import { oneLine, padEnd, padStart, textWidth, truncate } from "../../terminal/text.ts";
import { callEssence } from "./mock-llm-essence.ts";
import { clockTime, PIPE_COLUMNS, printDocument, printServed } from "./mock-screen.ts";
import type { CallReport } from "./serve-calls.ts";

/** A type alias, so that it counts as JSON. `none` counts calls without an answer, `embeddings` those that no script answers. */
type AnswerCount = {
  answer: number | "default" | "embeddings" | "none";
  calls: number;
  errors: number;
  prompt_tokens: number;
  completion_tokens: number;
};

const MODEL_COLUMNS = 12;
const ANSWER_COLUMNS = 10;
const TOKEN_COLUMNS = 9;
const DURATION_COLUMNS = 7;
const HEAD_COLUMNS =
  8 + 2 + 2 + MODEL_COLUMNS + 2 + ANSWER_COLUMNS + 2 + TOKEN_COLUMNS + 2 + DURATION_COLUMNS + 2;
const FIRST_ERROR = 400;

export function createMockLlmReport(
  screen: Screen,
  { json, title, script }: { json: boolean; title: string; script: LlmScript },
): CallReport<MockLlmReady, LlmCall> {
  const counts = new Map<AnswerCount["answer"], AnswerCount>();
  const { answers, model, default: fallback } = script;
  for (const index of answers.keys()) counts.set(index + 1, noCalls(index + 1));
  if (fallback !== undefined) counts.set("default", noCalls("default"));

  const printLine = (document: object): void => printDocument(screen, document);

  function count(call: LlmCall): void {
    const answer = answerOf(call);
    const before = counts.get(answer) ?? noCalls(answer);
    counts.set(answer, {
      answer,
      calls: before.calls + 1,
      errors: before.errors + (call.status >= FIRST_ERROR ? 1 : 0),
      prompt_tokens: before.prompt_tokens + call.prompt_tokens,
      completion_tokens: before.completion_tokens + call.completion_tokens,
    });
  }

  return {
    ready({ url, callsUrl }) {
      if (json) {
        const document = { type: "ready", url, calls_url: callsUrl, answers: answers.length };
        return printLine(model === undefined ? document : { ...document, model });
      }
      const { paint } = screen;
      const list = `${answers.length === 0 ? "none" : formatCount(answers.length)}${fallback === undefined ? "" : ", and a default"}`;
      printServed(screen, {
        title,
        each: "call",
        fields: [
          ["base URL", [paint.cyan(url)]],
          ["calls", [callsUrl]],
          ["model", [oneLine(model ?? "the one that is asked for")]],
          ["answers", [list]],
        ],
      });
    },
    call(call) {
      count(call);
      if (json) printLine({ type: "call", ...call });
      else screen.print(renderCall(call, screen));
    },
    end() {
      const rows = [...counts.values()];
      const sum = (key: "calls" | "prompt_tokens" | "completion_tokens"): number =>
        rows.reduce((total, row) => total + row[key], 0);
      const [calls, prompt, completion] = [sum("calls"), sum("prompt_tokens"), sum("completion_tokens")];
      if (json) {
        return printLine({
          type: "summary",
          calls,
          prompt_tokens: prompt,
          completion_tokens: completion,
          answers: rows,
        });
      }
      const tokens = `${plural(prompt, "token")} in, ${formatCount(completion)} out`;
      screen.print("", `${plural(calls, "call")}, ${tokens}:`, ...renderCounts(rows, screen));
    },
  };
}

function noCalls(answer: AnswerCount["answer"]): AnswerCount {
  return { answer, calls: 0, errors: 0, prompt_tokens: 0, completion_tokens: 0 };
}

function answerOf({ answer, endpoint, status }: LlmCall): AnswerCount["answer"] {
  return answer ?? (endpoint === "embeddings" && status < FIRST_ERROR ? "embeddings" : "none");
}

function renderCall(call: LlmCall, { paint, width }: Screen): string {
  const failed = call.status >= FIRST_ERROR || call.cut === true;
  const colour = failed ? paint.red : paint.green;
  const answer = answerOf(call);
  const time = clockTime(call.time);
  const model = padEnd(truncate(oneLine(call.model) || "?", MODEL_COLUMNS), MODEL_COLUMNS);
  const label = padEnd(typeof answer === "number" ? `answer ${answer}` : answer, ANSWER_COLUMNS);
  const outcome = failed && call.cut !== true ? `HTTP ${call.status}` : tokensOf(call);
  const tokens = padStart(outcome, TOKEN_COLUMNS);
  const took = padStart(formatDuration(call.duration_ms), DURATION_COLUMNS);
  const excess = textWidth(label) - ANSWER_COLUMNS + textWidth(tokens) - TOKEN_COLUMNS;
  const essence = truncate(callEssence(call), (width ?? PIPE_COLUMNS) - HEAD_COLUMNS - excess);
  return `${paint.dim(time)}  ${colour(failed ? "✗" : "✓")} ${model}  ${colour(label)}  ${tokens}  ${paint.dim(took)}  ${essence}`.trimEnd();
}

function tokensOf({ prompt_tokens: prompt, completion_tokens: completion }: LlmCall): string {
  return `${formatCount(prompt)} → ${formatCount(completion)}`;
}

function renderCounts(rows: readonly AnswerCount[], screen: Screen): string[] {
  return renderTable(
    [
      { title: "ANSWER", cell: ({ answer }) => `${answer}`, minWidth: 6 },
      { title: "CALLS", cell: ({ calls }) => formatCount(calls), align: "right" },
      { title: "ERRORS", cell: ({ errors }) => formatCount(errors), align: "right" },
      { title: "TOKENS IN", cell: (row) => formatCount(row.prompt_tokens), align: "right" },
      { title: "OUT", cell: (row) => formatCount(row.completion_tokens), align: "right" },
    ],
    rows,
    { width: screen.width, paintTitle: screen.paint.dim },
  );
}
