// What somebody who watches mock tools sees: where they are, a line for each call, and how often each was called.
import type { ObservedCall } from "../../../core/tools.ts";
import type { AnsweredCall, MockToolsReady } from "../../compose/serve-mock-tools.ts";
import { formatCount, formatDuration, plural } from "../../terminal/amounts.ts";
import { field } from "../../terminal/run-summary.ts";
import type { Screen } from "../../terminal/screen.ts";
import { renderTable } from "../../terminal/table.ts";
import { oneLine, padEnd, padStart, textWidth, truncate } from "../../terminal/text.ts";

interface MockToolsReport {
  ready(info: MockToolsReady): void;
  call(call: AnsweredCall): void;
  end(): void;
}

/** Number of names that are counted, because callers may make up names without end. */
const MAX_COUNTED = 1000;
const OTHERS = "(others)";
const MAX_NAME_COLUMNS = 28;
const DURATION_COLUMNS = 7;
/** A pipe gets much, but no megabyte on one line: `--json` has everything. */
const PIPE_COLUMNS = 1000;

export function createMockToolsReport(
  screen: Screen,
  { json, title }: { json: boolean; title: string },
): MockToolsReport {
  const counts = new Map<string, { calls: number; errors: number }>();
  let nameColumns = 12;

  /** One line whatever the terminal: a program reads it. */
  const printLine = (document: object): void => screen.print(JSON.stringify(document));

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
      screen.print(
        `${paint.green("●")} ${paint.bold(oneLine(title))} is served`,
        "",
        ...field("endpoint", [paint.cyan(endpoint)], paint),
        ...field("calls", [callsUrl], paint),
        ...field("tools", [truncate(oneLine(list), (width ?? Infinity) - 14)], paint),
        "",
        paint.dim("Every call is shown here. Ctrl-C stops it."),
        "",
      );
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
  const time = new Date(call.time).toTimeString().slice(0, 8);
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
