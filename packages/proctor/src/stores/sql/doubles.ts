// Doubles, until when each is known to be alive, and the newest requests to them.
import type {
  Double,
  DoubleRequest,
  DoubleRequestQuery,
  NewDouble,
  NewDoubleRequest,
} from "../../core/double.ts";
import type { Page } from "../../core/page.ts";
import { cursorKind, isWholeKey } from "./cursor.ts";
import type { DoubleRequestsTable, DoublesTable } from "./process-rows.ts";
import { readPage } from "./read-page.ts";
import { refuseNul } from "./refuse-nul.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { compile, template } from "./template.ts";

interface DoubleQueries {
  add(tx: Connection, id: string, double: NewDouble, nowMs: number, untilMs: number): Promise<void>;
  record(
    tx: Connection,
    id: string,
    requests: readonly NewDoubleRequest[],
    nowMs: number,
    untilMs: number,
  ): Promise<boolean>;
  end(tx: Connection, id: string, nowMs: number): Promise<boolean>;
  list(connection: Connection, nowMs: number): Promise<Double[]>;
  read(connection: Connection, id: string, nowMs: number): Promise<Double | undefined>;
  requests(connection: Connection, id: string, query: DoubleRequestQuery): Promise<Page<DoubleRequest>>;
}

/** Milliseconds that a double which is gone is still kept. */
const KEPT_MS = 3_600_000;
const MAX_DOUBLES = 200;
const MAX_REQUESTS = 1000;

export function createDoubleQueries({ builder }: SqlDialect): DoubleQueries {
  const insert = template((row: Omit<DoublesTable, "ended_at" | "requests" | "unmatched">) =>
    builder.insertInto("doubles").values({ ...row, ended_at: null, requests: 0, unmatched: 0 }),
  );
  const one = template(({ id }: { id: string }) =>
    builder.selectFrom("doubles").selectAll().where("id", "=", id),
  );
  const all = template(({ since }: { since: number }) =>
    builder
      .selectFrom("doubles")
      .selectAll()
      .where("alive_until", ">=", since)
      .orderBy("started_at", "desc")
      .orderBy("id", "desc")
      .limit(MAX_DOUBLES),
  );
  const everyId = template(() =>
    builder
      .selectFrom("doubles")
      .select(["id", "alive_until"])
      .orderBy("started_at", "desc")
      .orderBy("id", "desc"),
  );
  const drop = template(({ id }: { id: string }) => builder.deleteFrom("doubles").where("id", "=", id));
  const dropRequests = template(({ id, upTo }: { id: string; upTo: number }) =>
    builder.deleteFrom("double_requests").where("double_id", "=", id).where("number", "<=", upTo),
  );
  const seen = template(({ id, ...news }: Omit<DoublesTable, "document" | "started_at" | "ended_at">) =>
    builder
      .updateTable("doubles")
      .set({ ...news, ended_at: null })
      .where("id", "=", id),
  );
  const close = template(({ id, now }: { id: string; now: number }) =>
    builder
      .updateTable("doubles")
      .set({ ended_at: now, seen_at: now, alive_until: now })
      .where("id", "=", id),
  );
  const insertRequest = template((row: DoubleRequestsTable) =>
    builder.insertInto("double_requests").values(row),
  );

  async function forget(tx: Connection, nowMs: number): Promise<void> {
    const rows = await tx.all(everyId({}));
    const old = rows.filter(
      ({ alive_until }, index) => index >= MAX_DOUBLES || alive_until < nowMs - KEPT_MS,
    );
    for (const { id } of old) {
      await tx.run(dropRequests({ id, upTo: Number.MAX_SAFE_INTEGER }));
      await tx.run(drop({ id }));
    }
  }

  return {
    async add(tx, id, double, nowMs, untilMs) {
      const document = JSON.stringify(double);
      refuseNul("a double", document);
      await tx.run(insert({ id, document, started_at: nowMs, seen_at: nowMs, alive_until: untilMs }));
      await forget(tx, nowMs);
    },
    async record(tx, id, requests, nowMs, untilMs) {
      const row = await tx.first(one({ id }));
      if (row === undefined) return false;
      for (const [index, request] of requests.entries()) {
        const document = JSON.stringify(request);
        await tx.run(
          insertRequest({
            double_id: id,
            number: row.requests + index + 1,
            document,
            search: searched(document),
            unmatched: request.unmatched ? 1 : 0,
          }),
        );
      }
      const asked = row.requests + requests.length;
      const unmatched = row.unmatched + requests.filter((request) => request.unmatched).length;
      if (asked > MAX_REQUESTS) await tx.run(dropRequests({ id, upTo: asked - MAX_REQUESTS }));
      await tx.run(seen({ id, seen_at: nowMs, alive_until: untilMs, requests: asked, unmatched }));
      return true;
    },
    end: async (tx, id, now) => (await tx.run(close({ id, now }))) > 0,
    list: async (connection, nowMs) =>
      (await connection.all(all({ since: nowMs - KEPT_MS }))).map((row) => decode(row, nowMs)),
    async read(connection, id, nowMs) {
      const row = await connection.first(one({ id }));
      return row && row.alive_until >= nowMs - KEPT_MS ? decode(row, nowMs) : undefined;
    },
    requests: (connection, id, { unmatched, text = "", ...request }) =>
      readPage(request, {
        cursors: cursorKind("requests", [id, unmatched === true, text], isWholeKey),
        rows(before, limit) {
          let query = builder
            .selectFrom("double_requests")
            .select(["number", "document"])
            .where("double_id", "=", id)
            .orderBy("number", "desc")
            .limit(limit);
          if (before !== undefined) query = query.where("number", "<", before);
          if (unmatched === true) query = query.where("unmatched", "=", 1);
          if (text !== "") query = query.where((eb) => eb(eb.ref("search"), "like", likeOf(text)));
          return connection.all(compile(query));
        },
        // Written by `record` from a typed value.
        decode: ({ number, document }) => ({ number, ...(JSON.parse(document) as NewDoubleRequest) }),
        keyOf: ({ number }) => number,
      }),
  };
}

/** Returns the text that is searched: without what escapes it in JSON, which databases read in different ways. */
function searched(json: string): string {
  return json.toLowerCase().replaceAll("\\", "");
}

/** Returns the pattern, in which `_` and `%` match themselves, and a little more. */
function likeOf(text: string): string {
  return `%${searched(JSON.stringify(text).slice(1, -1))}%`;
}

function decode(row: DoublesTable, nowMs: number): Double {
  const { id, document, started_at, seen_at, alive_until, ended_at, requests, unmatched } = row;
  const state = ended_at !== null ? "ended" : alive_until > nowMs ? "live" : "gone";
  return {
    // Written by `add` from a typed value.
    ...(JSON.parse(document) as NewDouble),
    id,
    state,
    started_at: new Date(started_at).toISOString(),
    seen_at: new Date(seen_at).toISOString(),
    ended_at: ended_at === null ? null : new Date(ended_at).toISOString(),
    requests,
    unmatched,
    dropped: Math.max(0, requests - MAX_REQUESTS),
  };
}
