// The artifacts that are kept outside runs: one row per version. What a user's sessions share has an empty session. A removed artifact leaves
// its last row, without bytes, so that its numbers are not used again and an old reference never leads to other bytes.
import { isUserName, type ArtifactKey, type ArtifactScope } from "../../core/artifact-key.ts";
import { contentSha256 } from "../../core/artifact.ts";
import { ProctorError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Page, PageRequest } from "../../core/page.ts";
import type { NewSavedArtifact } from "../../core/ports/saved-artifacts.ts";
import type { SavedArtifact, SavedArtifactLimits } from "../../core/saved-artifact.ts";
import { cursorKind, isTextKey, isWholeKey } from "./cursor.ts";
import { readPage } from "./read-page.ts";
import type { SavedArtifactsTable } from "./schema.ts";
import { createSavedArtifactTemplates, type Place } from "./saved-artifact-templates.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import type { Unreferenced } from "./unreferenced.ts";

interface SavedArtifactQueries {
  add(tx: Connection, artifact: NewSavedArtifact, limits: SavedArtifactLimits): Promise<SavedArtifact>;
  read(
    connection: Connection,
    key: ArtifactKey,
    version: number | undefined,
  ): Promise<SavedArtifact | undefined>;
  list(connection: Connection, scope: ArtifactScope, page: PageRequest): Promise<Page<SavedArtifact>>;
  versions(connection: Connection, key: ArtifactKey, page: PageRequest): Promise<Page<SavedArtifact>>;
  remove(tx: Connection, key: ArtifactKey): Promise<string[] | undefined>;
}

type Row = SavedArtifactsTable;

export function createSavedArtifactQueries(
  dialect: SqlDialect,
  unreferenced: Unreferenced,
): SavedArtifactQueries {
  const queries = createSavedArtifactTemplates(dialect);

  async function add(
    tx: Connection,
    artifact: NewSavedArtifact,
    limits: SavedArtifactLimits,
  ): Promise<SavedArtifact> {
    const place = placeOf(artifact);
    const sha256 = contentSha256(artifact) ?? "";
    const { size_bytes, mime_type } = artifact;
    if (artifact.reuse) {
      const same = await tx.first(queries.same({ ...place, sha256, mime_type }));
      if (same !== undefined) return decode(same, artifact.session);
    }
    const used = await tx.first(queries.used(place));
    refuseBeyond(limits, (used?.count ?? 0) + 1, Number(used?.size_bytes ?? 0) + size_bytes);
    const last = await tx.first(queries.lastVersion(place));
    const row: Row = {
      ...place,
      version: (last?.version ?? 0) + 1,
      sha256,
      size_bytes,
      mime_type,
      metadata: JSON.stringify(artifact.metadata),
      created_at: Date.parse(artifact.created_at),
    };
    // The number of a removed artifact is not needed any more.
    await tx.run(queries.dropRemoved(place));
    await tx.run(queries.insert(row));
    return decode(row, artifact.session);
  }

  return {
    add,
    async read(connection, key, version) {
      const place = placeOf(key);
      const query = version === undefined ? queries.latest(place) : queries.one({ ...place, version });
      const row = await connection.first(query);
      return row && decode(row, key.session);
    },
    list(connection, { app, user: user_id, session }, request) {
      const page = (where: string, name: string, limit: number) =>
        connection.all(queries.page({ app, user_id, session: where, name, limit }));
      return readPage(request, {
        cursors: cursorKind("saved artifacts", [app, user_id, session], isTextKey),
        // What all sessions share comes first. Its names have a prefix that no other name has, so a name says where it stands.
        async rows(after = "", limit) {
          const shared = after === "" || isUserName(after) ? await page("", after, limit) : [];
          if (shared.length >= limit) return shared;
          const own = await page(session, isUserName(after) ? "" : after, limit - shared.length);
          return [...shared, ...own];
        },
        decode: (row) => decode(row, session),
        keyOf: ({ name }) => name,
      });
    },
    versions(connection, key, request) {
      const place = placeOf(key);
      return readPage(request, {
        cursors: cursorKind("versions", place, isWholeKey),
        rows: (version = 0, limit) => connection.all(queries.versions({ ...place, version, limit })),
        decode: (row) => decode(row, key.session),
        keyOf: ({ version }) => version,
      });
    },
    async remove(tx, key) {
      const place = placeOf(key);
      const rows = await tx.all(queries.hashes(place));
      if (rows.length === 0) return undefined;
      const last = await tx.first(queries.lastVersion(place));
      await tx.run(queries.dropBefore({ ...place, version: last?.version ?? 0 }));
      await tx.run(queries.empty(place));
      return [
        ...(await unreferenced(tx, { hashes: rows.flatMap(({ sha256 }) => sha256 ?? []), names: [] })).hashes,
      ];
    },
  };
}

function placeOf({ app, user, session, name }: ArtifactKey): Place {
  return { app, user_id: user, session: isUserName(name) ? "" : session, name };
}

/** Returns an artifact of all sessions with the session that asked. */
function decode(row: Row, session: string): SavedArtifact {
  return {
    app: row.app,
    user: row.user_id,
    session,
    name: row.name,
    version: row.version,
    mime_type: row.mime_type,
    size_bytes: row.size_bytes,
    content_hash: `sha256:${row.sha256}`,
    metadata: JSON.parse(row.metadata) as JsonObject,
    created_at: new Date(row.created_at).toISOString(),
  };
}

function refuseBeyond(limits: SavedArtifactLimits, count: number, bytes: number): void {
  if (count <= limits.count && bytes <= limits.sessionBytes) return;
  const what = count > limits.count ? `${limits.count} versions` : `${limits.sessionBytes} bytes`;
  throw new ProctorError(
    "LIMIT_REACHED",
    `a session keeps at most ${what} of artifacts\nRemove some first.`,
    {
      details: { max_versions: limits.count, max_bytes: limits.sessionBytes },
    },
  );
}
