// Evaluations over HTTP: those of a hub elsewhere.
import type { Comparison } from "../core/comparison.ts";
import type {
  CasePoint,
  Evaluation,
  EvaluationCase,
  EvaluationEvent,
  EvaluationMatrix,
  PlacedEvaluationEvent,
} from "../core/evaluation.ts";
import { ProctorError } from "../core/errors.ts";
import type { Page } from "../core/page.ts";
import type { Evaluations } from "../core/ports/evaluations.ts";
import type { HttpClient } from "./http-client.ts";
import type { ReadSse } from "./http-follow.ts";
import { path } from "./http-path.ts";
import { query } from "./http-query.ts";

/** The hub knows its caller by the token. */
export function createHttpEvaluations(client: HttpClient, readSse: ReadSse): Evaluations {
  async function* follow(
    id: string | undefined,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<PlacedEvaluationEvent> {
    const headers = { accept: "text/event-stream" };
    const from =
      id === undefined
        ? `/events${query({ after, evaluations: "true", type: "none" })}`
        : `${path`/evaluations/${id}/events`}${query({ after })}`;
    const { body } = await client.send(from, { headers, signal });
    if (body === null) return;
    try {
      for await (const { id: position = "0", event = "", data } of readSse(body)) {
        if (data === undefined) continue;
        if (event === "end") throw endOf(data);
        // Frames of the hub hold exactly one event.
        yield { position: Number(position), event: JSON.parse(data) as EvaluationEvent };
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Writes; a repeated report of the same owner changes nothing. */
  const write = (to: string, body: unknown): Promise<Evaluation> =>
    client.sendJson<Evaluation>(to, { method: "POST", body, repeatable: true });

  return {
    begin: (body) => write("/evaluations", body),
    record: (id, body) => write(path`/evaluations/${id}/records`, body),
    end: (id, body) => write(path`/evaluations/${id}/end`, body),
    get: (id) => client.sendJson<Evaluation>(path`/evaluations/${id}`),
    list: ({ status, ...rest }) =>
      client.sendJson<Page<Evaluation>>(`/evaluations${query({ ...rest, status: status?.join(",") })}`),
    cases: (id, { verdict, ...rest }) =>
      client.sendJson<Page<EvaluationCase>>(
        `${path`/evaluations/${id}/cases`}${query({ ...rest, verdict: verdict?.join(",") })}`,
      ),
    matrix: (id, { cursor, limit }) =>
      client.sendJson<EvaluationMatrix>(`${path`/evaluations/${id}/matrix`}${query({ cursor, limit })}`),
    history: (of, { agent, cursor, limit }) =>
      client.sendJson<Page<CasePoint>>(`${path`/cases/${of}/history`}${query({ agent, cursor, limit })}`),
    compare: (before, after) => client.sendJson<Comparison>(path`/evaluations/${before}/compare/${after}`),
    async remove(id, { runs = false } = {}) {
      await client.send(`${path`/evaluations/${id}`}${query({ runs: runs ? "true" : undefined })}`, {
        method: "DELETE",
      });
    },
    follow,
  };
}

function endOf(data: string): ProctorError {
  // The hub's own words for why it ended the stream.
  const { message } = JSON.parse(data) as { message: string };
  return new ProctorError("HUB_UNREACHABLE", message);
}
