// What a user who watches mock tools sees: where they are, a line for each call, and how often each was called.
import type { ObservedCall } from "../../../core/tools.ts";
import type { AnsweredCall, MockToolsReady } from "../../compose/serve-mock-tools.ts";
import { formatCount, formatDuration, plural } from "../../terminal/amounts.ts";
import type { Screen } from "../../terminal/screen.ts";
import { renderTable } from "../../terminal/table.ts";
import { oneLine, padEnd, padStart, textWidth, truncate } from "../../terminal/text.ts";
import { clockTime, PIPE_COLUMNS, printDocument, printServed } from "./mock-screen.ts";
import type { CallReport } from "./serve-calls.ts";

/** Number of names that are counted, because callers may make up names without end. */
const MAX_COUNTED = 1000;
const OTHERS = "(others)";
const MAX_NAME_COLUMNS = 28;
const DURATION_COLUMNS = 7;

export function createMockToolsReport(
  screen: Screen,
  { json, title }: { json: boolean; title: string },
): CallReport<MockToolsReady, AnsweredCall> {
  const counts = new Map<string, { calls: number; errors: number }>();
  let nameColumns = 12;

  const printLine = (document: object): void => printDocument(screen, document);

  const count = ({ tool, status }: ObservedCall): void => {
    const name = counts.has(tool) || counts.size < MAX_COUNTED ? tool : OTHERS;
    const { calls, errors } = counts.get(name) ?? { calls: 0, errors: 0 };
    counts.set(name, { calls: calls + 1, errors: errors + (status === "error" ? 1 : 0) });
  };

  return {
    ready({ endpoint, callsUrl, names }) {
      for (const name of names) counts.set(name, { calls: 0, errors: 0 });
      nameColumns = Math.min(MAX_NAME_COLUMNS, Math.max(nameColumns, ...names.map(textWidth)));
      if (json) return printLine({ type: "ready", endpoint, calls_url: callsUrl, tools: [...names] });
      const { paint, width } = screen;
      const list = names.length === 0 ? "none" : `${names.length}: ${names.join(", ")}`;
      printServed(screen, {
        title,
        each: "call",
        fields: [
          ["endpoint", [paint.cyan(endpoint)]],
          ["calls", [callsUrl]],
          ["tools", [truncate(oneLine(list), (width ?? Infinity) - 14)]],
        ],
      });
    },
    call(call) {
      count(call);
      if (json) printLine({ type: "call", ...call });
      else screen.print(renderCall(call, nameColumns, screen));
    },
    end() {
      const rows = [...counts].map(([name, of]) => ({ name, ...of }));
      const total = rows.reduce((sum, { calls }) => sum + calls, 0);
      if (json) return printLine({ type: "summary", calls: total, tools: rows });
      screen.print("", `${plural(total, "call")}${rows.length === 0 ? "" : ":"}`);
      if (rows.length > 0) screen.print(...renderCounts(rows, screen));
    },
  };
}

function renderCall(call: ObservedCall & { time: string }, nameColumns: number, screen: Screen): string {
  const { paint, width } = screen;
  const failed = call.status === "error";
  const colour = failed ? paint.red : paint.green;
  const time = clockTime(call.time);
  const name = padEnd(truncate(oneLine(call.tool) || "?", nameColumns), nameColumns);
  const status = padEnd(truncate(oneLine(call.status), 10), 7);
  const took = padStart(formatDuration(call.duration_ms), DURATION_COLUMNS);
  const head = 8 + 2 + 2 + nameColumns + 2 + textWidth(status) + 2 + DURATION_COLUMNS + 2;
  const why = failed && call.error !== undefined ? `  ${oneLine(call.error)}` : "";
  const essence = truncate(`${oneLine(JSON.stringify(call.input))}${why}`, (width ?? PIPE_COLUMNS) - head);
  return `${paint.dim(time)}  ${colour(failed ? "✗" : "✓")} ${name}  ${colour(status)}  ${paint.dim(took)}  ${essence}`;
}

function renderCounts(
  rows: readonly { name: string; calls: number; errors: number }[],
  screen: Screen,
): string[] {
  return renderTable(
    [
      { title: "TOOL", cell: ({ name }) => name || "?", minWidth: 12 },
      { title: "CALLS", cell: ({ calls }) => formatCount(calls), align: "right" },
      { title: "ERRORS", cell: ({ errors }) => formatCount(errors), align: "right" },
    ],
    rows,
    { width: screen.width, paintTitle: screen.paint.dim },
  );
}
