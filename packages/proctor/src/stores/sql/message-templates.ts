// The queries about envelopes, compiled once each.
import { sql } from "kysely";
import type { MessagesTable } from "./schema.ts";
import type { SqlDialect } from "./sql-backend.ts";
import { template } from "./template.ts";

const COLUMNS = [
  "position",
  "sender",
  "id",
  "receiver",
  "state",
  "document",
  "fingerprint",
  "size_bytes",
  "created_at",
  "expires_at",
  "hops",
  "deliveries",
  "run_id",
  "told",
  "settled_at",
  "reason",
] as const;

/** Bytes up to which a document is kept when the message is done: it is not read again, but a row of this size costs nothing. */
const KEPT_BYTES = 2000;

export type NewRow = Pick<
  MessagesTable,
  | "sender"
  | "id"
  | "receiver"
  | "state"
  | "document"
  | "fingerprint"
  | "size_bytes"
  | "created_at"
  | "expires_at"
  | "hops"
  | "settled_at"
  | "reason"
>;

interface Stretch {
  receiver: string;
  first: number;
  last: number;
}

// One list, so that it reads as the table of what is asked; its type is what it says.
// oxlint-disable-next-line explicit-module-boundary-types
export function createMessageTemplates({ builder }: SqlDialect) {
  const rows = () => builder.selectFrom("messages").select(COLUMNS);
  const shortened = sql<string>`case when size_bytes > ${sql.lit(KEPT_BYTES)} then '' else document end`;
  return {
    insert: template((row: NewRow) =>
      builder
        .insertInto("messages")
        .values({
          sender: row.sender,
          id: row.id,
          receiver: row.receiver,
          state: row.state,
          document: row.document,
          fingerprint: row.fingerprint,
          size_bytes: row.size_bytes,
          created_at: row.created_at,
          expires_at: row.expires_at,
          hops: row.hops,
          deliveries: sql.lit(0),
          told: sql.lit(-1),
          settled_at: row.settled_at,
          reason: row.reason,
        })
        .onConflict((conflict) => conflict.columns(["sender", "id"]).doNothing()),
    ),
    bySender: template(({ sender, id }: Pick<MessagesTable, "sender" | "id">) =>
      rows().where("sender", "=", sender).where("id", "=", id),
    ),
    byPosition: template(({ position }: { position: number }) => rows().where("position", "=", position)),
    waiting: template(({ receiver, after, limit }: { receiver: string; after: number; limit: number }) =>
      rows()
        .where("state", "=", sql.lit("waiting"))
        .where("receiver", "=", receiver)
        .where("position", ">", after)
        .orderBy("position")
        .limit(limit),
    ),
    working: template(({ after, limit }: { after: number; limit: number }) =>
      rows()
        .where("state", "=", sql.lit("working"))
        .where("position", ">", after)
        .orderBy("position")
        .limit(limit),
    ),
    countDelivery: template(({ receiver, first, last }: Stretch) =>
      builder
        .updateTable("messages")
        .set((eb) => ({ deliveries: eb("deliveries", "+", sql.lit(1)) }))
        .where("state", "=", sql.lit("waiting"))
        .where("receiver", "=", receiver)
        .where("position", ">=", first)
        .where("position", "<=", last),
    ),
    sumUpTo: template(({ receiver, last }: { receiver: string; last: number }) =>
      builder
        .selectFrom("messages")
        .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.sum<number>("size_bytes").as("bytes")])
        .where("state", "=", sql.lit("waiting"))
        .where("receiver", "=", receiver)
        .where("position", "<=", last),
    ),
    acknowledge: template(({ receiver, last, now }: { receiver: string; last: number; now: number }) =>
      builder
        .updateTable("messages")
        .set({ state: sql.lit("done"), settled_at: now, document: shortened })
        .where("state", "=", sql.lit("waiting"))
        .where("receiver", "=", receiver)
        .where("position", "<=", last),
    ),
    setRun: template(({ position, runId }: { position: number; runId: string }) =>
      builder.updateTable("messages").set({ run_id: runId }).where("position", "=", position),
    ),
    setTold: template(({ position, told }: { position: number; told: number }) =>
      builder.updateTable("messages").set({ told }).where("position", "=", position),
    ),
    finish: template(({ position, now }: { position: number; now: number }) =>
      builder
        .updateTable("messages")
        .set({ state: sql.lit("done"), settled_at: now, document: shortened })
        .where("position", "=", position)
        .where("state", "=", sql.lit("working")),
    ),
    bury: template(({ position, reason, now }: { position: number; reason: string; now: number }) =>
      builder
        .updateTable("messages")
        .set({
          state: sql.lit("dead"),
          settled_at: now,
          // A slot of the template, filled with one of the reasons.
          reason: reason as MessagesTable["reason"],
        })
        .where("position", "=", position)
        .where("state", "in", ["waiting", "working"]),
    ),
    expired: template(({ now, limit }: { now: number; limit: number }) =>
      rows()
        .where("state", "=", sql.lit("waiting"))
        .where("expires_at", "<=", now)
        .orderBy("expires_at")
        .limit(limit),
    ),
    nextExpiry: template(() =>
      builder
        .selectFrom("messages")
        .select("expires_at")
        .where("state", "=", sql.lit("waiting"))
        // Always true, and what makes it a search.
        .where("expires_at", ">", sql.lit(0))
        .orderBy("expires_at")
        .limit(1),
    ),
    inbox: template(({ receiver }: { receiver: string }) =>
      builder.selectFrom("inboxes").select(["waiting", "bytes"]).where("receiver", "=", receiver),
    ),
    inboxes: template(({ after, limit }: { after: string; limit: number }) =>
      builder
        .selectFrom("inboxes")
        .select(["receiver", "waiting", "bytes"])
        .where("receiver", ">", after)
        .where("waiting", ">", sql.lit(0))
        .orderBy("receiver")
        .limit(limit),
    ),
    grow: template(({ receiver, count, bytes }: { receiver: string; count: number; bytes: number }) =>
      builder
        .insertInto("inboxes")
        .values({ receiver, waiting: count, bytes })
        .onConflict((conflict) =>
          conflict.column("receiver").doUpdateSet((eb) => ({
            waiting: eb("inboxes.waiting", "+", eb.ref("excluded.waiting")),
            bytes: eb("inboxes.bytes", "+", eb.ref("excluded.bytes")),
          })),
        ),
    ),
    oldest: template(({ receiver }: { receiver: string }) =>
      builder
        .selectFrom("messages")
        .select("created_at")
        .where("state", "=", sql.lit("waiting"))
        .where("receiver", "=", receiver)
        .orderBy("position")
        .limit(1),
    ),
    dead: template(({ before, limit }: { before: number; limit: number }) =>
      rows()
        .where("state", "=", sql.lit("dead"))
        .where("position", "<", before)
        .orderBy("position", "desc")
        .limit(limit),
    ),
    deadOf: template(({ receiver, before, limit }: { receiver: string; before: number; limit: number }) =>
      rows()
        .where("state", "=", sql.lit("dead"))
        .where("receiver", "=", receiver)
        .where("position", "<", before)
        .orderBy("position", "desc")
        .limit(limit),
    ),
    remove: template(({ position }: { position: number }) =>
      builder.deleteFrom("messages").where("position", "=", position),
    ),
    // The newest row stays: its position must not be given to another.
    forget: template(({ before, limit }: { before: number; limit: number }) =>
      builder.deleteFrom("messages").where(
        "position",
        "in",
        builder
          .selectFrom("messages")
          .select("position")
          .where("state", "=", sql.lit("done"))
          .where("settled_at", "<", before)
          .where("position", "<", (eb) =>
            eb
              .selectFrom("messages as all_messages")
              .select((of) => of.fn.max<number>("all_messages.position").as("last")),
          )
          .orderBy("settled_at")
          .limit(limit),
      ),
    ),
  };
}
