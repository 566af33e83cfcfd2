// Marks on bytes that are kept elsewhere, and their second names.
import type { BlobMark, BlobMarkKind, BlobMarks } from "../../core/ports/blob-marks.ts";
import type { SqlBackend } from "./sql-backend.ts";
import { template } from "./template.ts";

export function createBlobMarks({ dialect: { builder }, read, write }: SqlBackend): BlobMarks {
  const add = template(({ id, sha256, kind, expires_at }: BlobMark) =>
    builder.insertInto("blob_marks").values({ id, sha256, kind, expires_at }),
  );
  const remove = template(({ id }: { id: string }) => builder.deleteFrom("blob_marks").where("id", "=", id));
  const counting = template(({ sha256, kind, now }: { sha256: string; kind: BlobMarkKind; now: number }) =>
    builder
      .selectFrom("blob_marks")
      .select("id")
      .where("sha256", "=", sha256)
      .where("kind", "=", kind)
      .where("expires_at", ">", now)
      .limit(1),
  );
  const over = template(({ now, limit }: { now: number; limit: number }) =>
    builder
      .selectFrom("blob_marks")
      .selectAll()
      .where("expires_at", "<=", now)
      .orderBy("expires_at")
      .limit(limit),
  );
  const link = template(
    ({ name, sha256, created_at }: { name: string; sha256: string; created_at: number }) =>
      builder
        .insertInto("blob_names")
        .values({ name, sha256, created_at })
        .onConflict((conflict) => conflict.column("name").doNothing()),
  );
  const unlink = template(({ name }: { name: string }) =>
    builder.deleteFrom("blob_names").where("name", "=", name),
  );
  const given = template(({ before, after, limit }: { before: number; after: string; limit: number }) =>
    builder
      .selectFrom("blob_names")
      .select("name")
      .where("name", ">", after)
      .where("created_at", "<", before)
      .orderBy("name")
      .limit(limit),
  );

  return {
    add: (mark) => write(async (tx) => void (await tx.run(add(mark)))),
    remove: (id) => write(async (tx) => void (await tx.run(remove({ id })))),
    isMarked: async (sha256, kind, now) => (await read.first(counting({ sha256, kind, now }))) !== undefined,
    expired: async (now, limit) => read.all(over({ now, limit })),
    link: (name, sha256, now) =>
      write(async (tx) => (await tx.run(link({ name, sha256, created_at: now }))) > 0),
    unlink: (name) => write(async (tx) => void (await tx.run(unlink({ name })))),
    names: async (before, after, limit) =>
      (await read.all(given({ before, after, limit }))).map(({ name }) => name),
  };
}
