// Tokens, with the digests of their secrets, and whether the hub was ever closed.
import type { Binding } from "../../core/caller.ts";
import type { Page, PageRequest } from "../../core/page.ts";
import type { StoredToken } from "../../core/ports/token-store.ts";
import type { ScopeGrant } from "../../core/scope.ts";
import type { Token, TokenRate } from "../../core/token.ts";
import { cursorKind, isWholeKey } from "./cursor.ts";
import { readPage } from "./read-page.ts";
import type { TokensTable } from "./schema.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { template } from "./template.ts";

interface TokenQueries {
  add(tx: Connection, token: StoredToken): Promise<void>;
  read(connection: Connection, id: string): Promise<StoredToken | undefined>;
  list(connection: Connection, page: PageRequest): Promise<Page<Token>>;
  rotate(tx: Connection, id: string, digest: string, previousUntil: number): Promise<StoredToken | undefined>;
  revoke(tx: Connection, id: string, at: number): Promise<StoredToken | undefined>;
  ofAgent(connection: Connection, agent: string): Promise<string[]>;
  use(tx: Connection, id: string, agent: string, at: number): Promise<boolean>;
  touch(tx: Connection, uses: ReadonlyMap<string, number>): Promise<void>;
  isClosed(connection: Connection): Promise<boolean>;
  /** Removes tokens that were revoked or had expired before then (epoch milliseconds). */
  prune(tx: Connection, before: number): Promise<void>;
}

type Row = Omit<TokensTable, "ordinal">;

/** The parts of a token that never change. */
interface Document {
  name: string;
  scopes: ScopeGrant[];
  binding: Binding | null;
  rate: TokenRate | null;
  created_by: string;
}

const COLUMNS = [
  "id",
  "kind",
  "document",
  "digest",
  "previous_digest",
  "previous_until",
  "created_at",
  "expires_at",
  "revoked_at",
  "last_used_at",
  "used_by",
  "agent",
] as const;

/** Milliseconds between two looks at all tokens for those that are over. */
const PRUNE_MS = 60 * 60 * 1000;

const cursors = cursorKind("tokens", null, isWholeKey);

export function createTokenQueries({ builder }: SqlDialect): TokenQueries {
  const insert = template((row: Row) => builder.insertInto("tokens").values(row));
  const close = template(({ at }: { at: number }) =>
    builder
      .insertInto("hub_closed")
      .values({ id: 1, closed_at: at })
      .onConflict((conflict) => conflict.column("id").doNothing()),
  );
  const closed = template(() => builder.selectFrom("hub_closed").select("id"));
  const one = template(({ id }: { id: string }) =>
    builder.selectFrom("tokens").select(COLUMNS).where("id", "=", id),
  );
  const page = template(({ below, limit }: { below: number; limit: number }) =>
    builder
      .selectFrom("tokens")
      .select(["ordinal", ...COLUMNS])
      .where("ordinal", "<", below)
      .orderBy("ordinal", "desc")
      .limit(limit),
  );
  const replace = template((values: { id: string; digest: string; until: number }) =>
    builder
      .updateTable("tokens")
      .set((eb) => ({
        previous_digest: eb.ref("digest"),
        previous_until: values.until,
        digest: values.digest,
      }))
      .where("id", "=", values.id)
      .where("revoked_at", "is", null),
  );
  const end = template(({ id, at }: { id: string; at: number }) =>
    builder
      .updateTable("tokens")
      .set({ revoked_at: at })
      .where("id", "=", id)
      .where("revoked_at", "is", null),
  );
  const issuedTo = template(({ agent }: { agent: string }) =>
    builder.selectFrom("tokens").select("id").where("agent", "=", agent).where("revoked_at", "is", null),
  );
  const useUp = template(({ id, agent, at }: { id: string; agent: string; at: number }) =>
    builder
      .updateTable("tokens")
      .set({ used_by: agent, last_used_at: at })
      .where("id", "=", id)
      .where("kind", "=", "enrol")
      .where("used_by", "is", null)
      .where("revoked_at", "is", null)
      .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", at)])),
  );
  const touched = template(({ id, at }: { id: string; at: number }) =>
    builder.updateTable("tokens").set({ last_used_at: at }).where("id", "=", id),
  );

  let prunedTo = -Infinity;
  const over = template(({ before }: { before: number }) =>
    builder
      .deleteFrom("tokens")
      .where((eb) => eb.or([eb("revoked_at", "<", before), eb("expires_at", "<", before)])),
  );

  async function read(connection: Connection, id: string): Promise<StoredToken | undefined> {
    const row = await connection.first(one({ id }));
    return row && decode(row);
  }

  return {
    async add(tx, token) {
      const row = encode(token);
      await tx.run(insert(row));
      if (row.kind !== "agent") await tx.run(close({ at: row.created_at }));
    },
    read,
    ofAgent: async (connection, agent) => (await connection.all(issuedTo({ agent }))).map(({ id }) => id),
    list: (connection, request) =>
      readPage(request, {
        cursors,
        rows: (below = Number.MAX_SAFE_INTEGER, limit) => connection.all(page({ below, limit })),
        decode: (row) => decode(row).token,
        keyOf: ({ ordinal }) => ordinal,
      }),
    async rotate(tx, id, digest, until) {
      return (await tx.run(replace({ id, digest, until }))) > 0 ? read(tx, id) : undefined;
    },
    async revoke(tx, id, at) {
      await tx.run(end({ id, at }));
      return read(tx, id);
    },
    use: async (tx, id, agent, at) => (await tx.run(useUp({ id, agent, at }))) > 0,
    async touch(tx, uses) {
      for (const [id, at] of uses) await tx.run(touched({ id, at }));
    },
    async prune(tx, before) {
      if (before - prunedTo < PRUNE_MS) return;
      prunedTo = before;
      await tx.run(over({ before }));
    },
    isClosed: async (connection) => (await connection.first(closed({}))) !== undefined,
  };
}

function encode({ token, digest, previousDigest }: StoredToken): Row {
  const { name, scopes, binding, rate, created_by } = token;
  const document: Document = { name, scopes, binding, rate, created_by };
  return {
    id: token.id,
    kind: token.kind,
    document: JSON.stringify(document),
    digest,
    previous_digest: previousDigest,
    previous_until: ms(token.previous_until),
    created_at: Date.parse(token.created_at),
    expires_at: ms(token.expires_at),
    revoked_at: ms(token.revoked_at),
    last_used_at: ms(token.last_used_at),
    used_by: token.used_by,
    agent: token.kind === "agent" ? (binding?.name ?? null) : null,
  };
}

function decode(row: Row): StoredToken {
  // Only `encode` writes it.
  const document = JSON.parse(row.document) as Document;
  return {
    token: {
      id: row.id,
      kind: row.kind,
      ...document,
      created_at: new Date(row.created_at).toISOString(),
      expires_at: time(row.expires_at),
      revoked_at: time(row.revoked_at),
      last_used_at: time(row.last_used_at),
      previous_until: time(row.previous_until),
      used_by: row.used_by,
    },
    digest: row.digest,
    previousDigest: row.previous_digest,
  };
}

function ms(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}

function time(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
