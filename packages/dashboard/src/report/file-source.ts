// A hub inside the file: answers what the pages of evaluations ask of the public API from the documents that the reporter packed. Nothing is sent anywhere.
import type { Query } from "../api/address.ts";
import type { Comparison, EvaluationCase } from "../api/gen/schema.ts";
import { ApiError } from "../api/request.ts";
import type { Source } from "../api/source.ts";
import { texts } from "../texts.ts";
import { matrixOf } from "./matrix-of.ts";
import type { Chunks } from "./read-chunks.ts";
import type { CaseRow, PackedCase, PackedComparison, PackedRun, ReportHead } from "./report-documents.ts";
import { unpackEvents } from "./unpack-events.ts";

export function fileSource(head: ReportHead, chunks: Chunks): Source {
  const { evaluation, more, rows } = head;
  /** The rows of cases by id, and of runs by theirs as far as their cases were read. */
  const cases = new Map(rows.map((row, number) => [row.case, { row, number }]));
  const runs = new Map<string, CaseRow>();

  async function packed({ place }: CaseRow): Promise<PackedCase | undefined> {
    // The reporter put a case at this place.
    return place === undefined ? undefined : ((await chunks.read(place)) as PackedCase);
  }

  async function comparison(): Promise<PackedComparison | undefined> {
    return head.comparison === null ? undefined : ((await chunks.read(head.comparison)) as PackedComparison);
  }

  async function caseOf(id: string): Promise<EvaluationCase | undefined> {
    const found = cases.get(id);
    const document = found && (await packed(found.row));
    if (found === undefined || document === undefined) return undefined;
    for (const { run } of document.runs) runs.set(run.id, found.row);
    const compared = (await comparison())?.cases.find(({ row }) => row === found.number);
    const whole: PackedCase["case"] = {
      ...document.case,
      id,
      evaluation_id: evaluation.id,
      settled_at: evaluation.ended_at ?? evaluation.started_at,
      change: found.row.change ?? null,
      comparison: compared ?? null,
      more: { ...document.case.more, cut: document.cut ?? false },
    };
    return whole;
  }

  async function runOf(id: string): Promise<PackedRun> {
    if (!runs.has(id)) await findRun(id);
    const row = runs.get(id);
    const found = (row && (await packed(row)))?.runs.find(({ run }) => run.id === id);
    if (found === undefined) throw notHere();
    return found;
  }

  /** Reads cases until that of the run is found, because a link may lead to a run whose case was not opened yet. */
  async function findRun(id: string): Promise<void> {
    for (const row of rows) {
      const document = await packed(row);
      if (document?.runs.some(({ run }) => run.id === id)) return void runs.set(id, row);
    }
  }

  async function ofRun(id: string, rest: string, query: Query): Promise<Response> {
    const found = await runOf(id);
    if (rest === "") return json(found.run);
    if (rest === "messages") return list(found.messages);
    if (rest === "events") return list(pageOf(unpackEvents(found.run, found.events), query));
    const artifact = /^artifacts\/([^/]+)\/content$/.exec(rest)?.[1];
    const content = artifact === undefined ? undefined : found.contents[decodeURIComponent(artifact)];
    if (content === undefined) throw notHere();
    return new Response(content);
  }

  async function get(path: string, query: Query): Promise<Response> {
    const [kind = "", id = "", ...rest] = path.split("/");
    if (kind === "runs" && id === "") return list([]);
    if (kind === "runs") return ofRun(decodeURIComponent(id), rest.join("/"), query);
    if (path === `evaluations/${more.baseline ?? ""}/compare/${evaluation.id}`) {
      const found: Comparison | undefined = await comparison();
      if (found !== undefined) return json(found);
    }
    if (kind !== "evaluations" || id !== evaluation.id) throw notHere();
    if (rest.length === 0) return json({ ...evaluation, more });
    if (rest[0] === "matrix") return json(matrixOf(head));
    const found = rest[0] === "cases" ? await caseOf(String(query["case"] ?? "")) : undefined;
    return list(found === undefined ? [] : [found]);
  }

  return {
    isHub: false,
    async send(method, path, { query = {} }) {
      if (method !== "GET") throw notHere();
      return get(path, query);
    },
  };
}

/** Returns a page of events as the API does: the last ones, or those after one. */
function pageOf<T extends { sequence: number }>(events: readonly T[], query: Query): readonly T[] {
  if (query["last"] !== undefined) return events.slice(-Number(query["last"]));
  const after = Number(query["after"] ?? -1);
  return events.slice(after + 1, after + 1 + Number(query["limit"] ?? events.length));
}

const json = (document: unknown): Response => new Response(JSON.stringify(document));
const list = (items: readonly unknown[]): Response => json({ items, next_cursor: null });
const notHere = (): ApiError => new ApiError(404, "NOT_FOUND", texts.report.notHere);
