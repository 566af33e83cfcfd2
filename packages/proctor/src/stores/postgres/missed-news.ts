// Finds commits that were not announced: their process died before it could, or this one was not listening. It looks through the feed from where
// it last was.
import type { Connection } from "../sql/sql-backend.ts";
import type { FeedEnd } from "../sql/sql-backend.ts";
import type { News } from "./news-message.ts";

/** Most appends that are looked through at once. */
const MOST_APPENDS = 10_000;

const TAILS =
  "select run_id, sequence, position from events where position > $1 and position <= $2 order by position limit $3";
/** Query for where each run ended before, and whether it is over; runs that were removed meanwhile are left out. */
const DETAILS =
  "select runs.id as run_id, runs.ended_at is not null as ended, " +
  "(select max(earlier.sequence) from events as earlier where earlier.run_id = runs.id " +
  "and earlier.sequence < asked.sequence and earlier.position is not null) as before " +
  "from unnest($1::text[], $2::bigint[]) as asked(run_id, sequence) join runs on runs.id = asked.run_id";

const EVALUATIONS =
  "select id from evaluations where position > $1 and position <= $2 " +
  "union select id from removed_evaluations where position > $1 and position <= $2";

/** Commits that were not announced. */
interface MissedNews {
  news: News[];
  /** Ids of all evaluations that changed, announced or not: reporting one twice does no harm. */
  evaluations: string[];
}

interface Stretch {
  first: number;
  last: number;
}

interface MissedNewsDeps {
  read: Connection;
  settledEnd: () => Promise<FeedEnd>;
  /** Returns the last sequence of a run that was announced lately. */
  heard: (runId: string) => number | undefined;
}

/** Returns what was committed since the last call and not heard. The first call only finds out where the end is. */
export function createMissedNews({ read, settledEnd, heard }: MissedNewsDeps): () => Promise<MissedNews> {
  let place: number | undefined;

  async function unheard(end: number): Promise<Map<string, Stretch>> {
    const found = new Map<string, Stretch>();
    const parameters = [place, end, MOST_APPENDS];
    const rows = await read.all<{ run_id: string; sequence: number; position: number }>({
      sql: TAILS,
      parameters,
    });
    for (const { run_id, sequence } of rows) {
      if ((heard(run_id) ?? -1) >= sequence) continue;
      const known = found.get(run_id);
      found.set(run_id, { first: known?.first ?? sequence, last: Math.max(known?.last ?? 0, sequence) });
    }
    place = rows.length === MOST_APPENDS ? (rows.at(-1)?.position ?? end) : end;
    return found;
  }

  return async () => {
    const { end, isSettled } = await settledEnd();
    if (place === undefined) place = end;
    if (!isSettled || end <= place) return { news: [], evaluations: [] };
    const changed = await read.all<{ id: string }>({ sql: EVALUATIONS, parameters: [place, end] });
    const evaluations = changed.map(({ id }) => id);
    const stretches = await unheard(end);
    return { news: stretches.size === 0 ? [] : await newsOf(stretches), evaluations };
  };

  async function newsOf(stretches: ReadonlyMap<string, Stretch>): Promise<News[]> {
    const parameters = [[...stretches.keys()], [...stretches.values()].map(({ first }) => first)];
    const details = await read.all<{ run_id: string; ended: boolean; before: number | null }>({
      sql: DETAILS,
      parameters,
    });
    return details.map(({ run_id, ended, before }) => {
      const last = stretches.get(run_id)?.last ?? 0;
      const from = Math.max(heard(run_id) ?? -1, before ?? -1);
      return { runId: run_id, lastSequence: last, appended: last - from, ended, byOwner: false };
    });
  }
}
