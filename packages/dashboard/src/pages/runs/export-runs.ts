// What the filter finds as a file, read page by page.
import { hub, type RunFilter } from "../../api/hub.ts";
import type { Run } from "../../api/gen/schema.ts";
import { saveAs } from "../../components/save-as.ts";

const PAGE = 1000;

type Cell = string | number | null | undefined;

const COLUMNS: Record<string, (run: Run) => Cell> = {
  id: (run) => run.id,
  status: (run) => run.status,
  agent: (run) => run.agent,
  task: (run) => run.task.description,
  created_at: (run) => run.created_at,
  started_at: (run) => run.started_at,
  ended_at: (run) => run.ended_at,
  total_tokens: (run) => run.metrics.total_tokens,
  cost_usd: (run) => run.metrics.cost_usd,
  failure: (run) => run.failure?.code,
  conversation_id: (run) => run.conversation_id,
};

export async function exportRuns(
  filter: RunFilter,
  format: "csv" | "json",
  onProgress: (count: number) => void,
): Promise<void> {
  const parts: string[] = format === "csv" ? [`${Object.keys(COLUMNS).join(",")}\r\n`] : ["[\n"];
  let count = 0;
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const page = await hub.runs({ ...filter, cursor, limit: PAGE });
    for (const run of page.items) parts.push(format === "csv" ? csvLine(run) : jsonItem(run, count++ === 0));
    if (format === "csv") count += page.items.length;
    onProgress(count);
    cursor = page.next_cursor ?? undefined;
  }
  if (format === "json") parts.push("\n]\n");
  saveAs(new Blob(parts, { type: format === "csv" ? "text/csv" : "application/json" }), `runs.${format}`);
}

function jsonItem(run: Run, first: boolean): string {
  return `${first ? "" : ",\n"}${JSON.stringify(run)}`;
}

function csvLine(run: Run): string {
  return `${Object.values(COLUMNS)
    .map((column) => csvField(column(run)))
    .join(",")}\r\n`;
}

/** Returns a field of CSV. A text that a spreadsheet would take for a formula gets an apostrophe before it. */
export function csvField(value: Cell): string {
  const text = value == null ? "" : String(value);
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
