// Tells listeners in this process of commits in others. Each process announces its own at most every few milliseconds, outside of the
// transactions that made them: inside, all writers of all processes would wait for one another. What is lost on the way is found later.
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { createWatchers, type EvaluationWatchers, type Watchers } from "../sql/watchers.ts";
import type { Connection, FeedEnd } from "../sql/sql-backend.ts";
import { openListener } from "./listen.ts";
import { createMissedNews } from "./missed-news.ts";
import { decodeNews, encodeNews, type News } from "./news-message.ts";
import type { ErrorMapper } from "./postgres-errors.ts";

interface CommitNewsDeps {
  url: string;
  pool: Pool;
  read: Connection;
  settledEnd: () => Promise<FeedEnd>;
  mapError: ErrorMapper;
  /** Milliseconds between two looks for what was not announced. */
  lookEveryMs?: number;
}

export interface CommitNews {
  watchers: Watchers;
  evaluationWatchers: EvaluationWatchers;
  close: () => Promise<void>;
}

const CHANNEL = "proctor_commits";
const GATHER_MS = 5;
const LOOK_EVERY_MS = 1000;

export async function openCommitNews(deps: CommitNewsDeps): Promise<CommitNews> {
  const { url, pool, read, settledEnd, mapError, lookEveryMs = LOOK_EVERY_MS } = deps;
  const origin = randomUUID();
  const local = createWatchers();
  const localEvaluations = createWatchers<[evaluationId: string]>();
  const gathered = new Map<string, News>();
  const gatheredEvaluations = new Set<string>();
  /** Last sequences that listeners learned of: since the last look, and between the two before. */
  let heardNow = new Map<string, number>();
  let heardBefore = new Map<string, number>();
  let sending: NodeJS.Timeout | undefined;
  let sent: Promise<unknown> = Promise.resolve();
  let looking: Promise<void> | undefined;
  let closed = false;

  const heard = (runId: string): number | undefined => heardNow.get(runId) ?? heardBefore.get(runId);
  const hear = ({ runId, lastSequence }: News): void =>
    void heardNow.set(runId, Math.max(lastSequence, heard(runId) ?? -1));

  const announce = async (message: string): Promise<void> => {
    await pool.query("select pg_notify($1, $2)", [CHANNEL, message]);
  };

  function send(): void {
    sending = undefined;
    const messages = encodeNews(origin, gathered.values(), gatheredEvaluations);
    gathered.clear();
    gatheredEvaluations.clear();
    // Others find by themselves what could not be sent.
    for (const message of messages) sent = sent.then(() => announce(message)).catch(() => undefined);
  }

  function tell(news: News): void {
    const { runId, lastSequence, ended, byOwner } = news;
    const known = heard(runId) ?? -1;
    // The last notice of a removed run has nothing appended.
    const appended = news.appended === 0 ? 0 : Math.min(news.appended, lastSequence - known);
    if (news.appended > 0 && appended <= 0) return;
    hear(news);
    local.notify(runId, lastSequence, appended, ended, byOwner);
  }

  const missed = createMissedNews({ read, settledEnd, heard });

  async function look(): Promise<void> {
    const { news: found, evaluations } = await missed();
    for (const news of found) tell(news);
    for (const id of evaluations) localEvaluations.notify(id);
    heardBefore = heardNow;
    heardNow = new Map();
  }

  function lookSoon(): void {
    // What fails now is found at the next look.
    looking ??= look()
      .catch(() => undefined)
      .finally(() => (looking = undefined));
  }

  const listener = await openListener({
    url,
    channel: CHANNEL,
    mapError,
    announce,
    onMessage(message) {
      const told = decodeNews(message);
      if (told === undefined || told.origin === origin) return;
      for (const news of told.news) tell(news);
      for (const id of told.evaluations) localEvaluations.notify(id);
    },
    onReconnect: lookSoon,
  });
  // Finds out where the end is.
  await look().catch(() => undefined);
  const timer = setInterval(() => {
    lookSoon();
    void listener.check();
  }, lookEveryMs);
  timer.unref();

  return {
    watchers: {
      watch: local.watch,
      notify(...commit) {
        const [runId, lastSequence, appended, ended, byOwner] = commit;
        const news = { runId, lastSequence, appended, ended, byOwner };
        hear(news);
        local.notify(...commit);
        if (closed) return;
        gathered.set(runId, joined(gathered.get(runId), news));
        sending ??= setTimeout(send, GATHER_MS);
      },
    },
    evaluationWatchers: {
      watch: localEvaluations.watch,
      notify(id) {
        localEvaluations.notify(id);
        if (closed) return;
        gatheredEvaluations.add(id);
        sending ??= setTimeout(send, GATHER_MS);
      },
    },
    async close() {
      closed = true;
      clearInterval(timer);
      if (sending !== undefined) {
        clearTimeout(sending);
        send();
      }
      await sent;
      await looking;
      await listener.close();
    },
  };
}

function joined(earlier: News | undefined, news: News): News {
  if (earlier === undefined || news.appended === 0) return news;
  return {
    ...news,
    appended: earlier.appended + news.appended,
    ended: earlier.ended || news.ended,
    byOwner: earlier.byOwner && news.byOwner,
  };
}
