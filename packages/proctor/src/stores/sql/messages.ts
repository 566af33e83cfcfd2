// Envelopes and the inboxes that they wait in. How much waits for a receiver is counted in the same transaction, so that a full inbox is
// known without counting its rows.
import type { Envelope } from "../../core/envelope.ts";
import { ProctorError } from "../../core/errors.ts";
import type { Page, PageRequest } from "../../core/page.ts";
import type {
  DeadReason,
  InboxLimits,
  MessageStore,
  NewStoredMessage,
  StoredMessage,
  WhenFull,
} from "../../core/ports/message-store.ts";
import type { DeadLetter, InboxState } from "../../core/ports/messages.ts";
import { cursorKind, isTextKey, isWholeKey } from "./cursor.ts";
import { createMessageTemplates, type NewRow } from "./message-templates.ts";
import { readPage } from "./read-page.ts";
import { refuseNul } from "./refuse-nul.ts";
import type { MessagesTable } from "./schema.ts";
import type { Connection, SqlBackend, SqlDialect } from "./sql-backend.ts";

type Row = Omit<MessagesTable, "position"> & { position: number };

const inboxCursors = cursorKind("inboxes", null, isTextKey);
/** Seconds after which a full inbox may have room again, for a sender that wants to know. */
const FULL_RETRY_SECONDS = 5;

export function createMessageStore(
  dialect: SqlDialect,
  { read, write }: Pick<SqlBackend, "read" | "write">,
): MessageStore {
  const ask = createMessageTemplates(dialect);

  async function room(
    tx: Connection,
    receiver: string,
    sizeBytes: number,
    limits: InboxLimits,
  ): Promise<boolean> {
    const inbox = await tx.first(ask.inbox({ receiver }));
    if (inbox === undefined) return true;
    return inbox.waiting < limits.count && inbox.bytes + sizeBytes <= limits.bytes;
  }

  async function insert(tx: Connection, row: NewRow): Promise<StoredMessage> {
    const rows = await tx.run(ask.insert(row));
    const position = rows === 1 ? tx.lastKey?.() : undefined;
    if (row.state === "waiting")
      await tx.run(ask.grow({ receiver: row.receiver, count: 1, bytes: row.size_bytes }));
    if (position !== undefined) return decode({ ...row, position, deliveries: 0, run_id: null, told: -1 });
    const kept = await tx.first(ask.bySender(row));
    if (kept === undefined) throw new Error("a message that was written cannot be read");
    return decode(kept);
  }

  async function add(
    tx: Connection,
    message: NewStoredMessage,
    limits: InboxLimits,
    whenFull: WhenFull,
  ): Promise<{ message: StoredMessage; created: boolean }> {
    const { sender, id, receiver, fingerprint, sizeBytes, createdAt } = message;
    const row = encode(message);
    const known = await tx.first(ask.bySender({ sender, id }));
    if (known !== undefined) {
      if (known.fingerprint !== fingerprint) throw conflict(sender, id);
      return { message: decode(known), created: false };
    }
    if (message.state !== "waiting" || (await room(tx, receiver, sizeBytes, limits)))
      return { message: await insert(tx, row), created: true };
    if (whenFull === "refuse") throw full(receiver);
    const buried = { ...row, state: "dead", reason: "full", settled_at: createdAt } as const;
    return { message: await insert(tx, buried), created: true };
  }

  async function acknowledge(tx: Connection, receiver: string, last: number, now: number): Promise<number> {
    const sum = await tx.first(ask.sumUpTo({ receiver, last }));
    const count = sum?.count ?? 0;
    if (count === 0) return 0;
    await tx.run(ask.acknowledge({ receiver, last, now }));
    await tx.run(ask.grow({ receiver, count: -count, bytes: -(sum?.bytes ?? 0) }));
    return count;
  }

  async function bury(tx: Connection, position: number, reason: DeadReason, now: number): Promise<boolean> {
    const row = await tx.first(ask.byPosition({ position }));
    if (row === undefined || (await tx.run(ask.bury({ position, reason, now }))) === 0) return false;
    if (row.state === "waiting")
      await tx.run(ask.grow({ receiver: row.receiver, count: -1, bytes: -row.size_bytes }));
    return true;
  }

  async function deadRow(tx: Connection, position: number): Promise<Row> {
    const row = await tx.first(ask.byPosition({ position }));
    if (row?.state === "dead") return row;
    throw new ProctorError("MESSAGE_NOT_FOUND", `there is no dead letter ${position}`, {
      details: { position },
    });
  }

  async function revive(
    tx: Connection,
    position: number,
    expiresAt: number,
    limits: InboxLimits,
  ): Promise<StoredMessage> {
    const row = await deadRow(tx, position);
    if (!(await room(tx, row.receiver, row.size_bytes, limits))) throw full(row.receiver);
    await tx.run(ask.remove({ position }));
    return insert(tx, { ...row, state: "waiting", expires_at: expiresAt, settled_at: null, reason: null });
  }

  const listInboxes = (request: PageRequest): Promise<Page<InboxState>> =>
    readPage(request, {
      cursors: inboxCursors,
      rows: (after = "", limit) => read.all(ask.inboxes({ after, limit })),
      async decode({ receiver, waiting, bytes }) {
        const oldest = await read.first(ask.oldest({ receiver }));
        return { receiver, waiting, bytes, oldest_at: oldest ? iso(oldest.created_at) : null };
      },
      keyOf: ({ receiver }) => receiver,
    });

  const listDead = ({
    receiver,
    ...request
  }: PageRequest & { receiver?: string }): Promise<Page<DeadLetter>> =>
    readPage(request, {
      cursors: cursorKind("dead letters", receiver ?? null, isWholeKey),
      rows: (before = Number.MAX_SAFE_INTEGER, limit) =>
        read.all(
          receiver === undefined ? ask.dead({ before, limit }) : ask.deadOf({ before, limit, receiver }),
        ),
      decode: (row) => decodeDead(row),
      keyOf: ({ position }) => position,
    });

  return {
    add: (message, limits, whenFull, told) =>
      write(async (tx) => {
        const added = await add(tx, message, limits, whenFull);
        if (told) await tx.run(ask.setTold({ position: told.position, told: told.sequence }));
        return added;
      }),
    async find(sender, id) {
      const row = await read.first(ask.bySender({ sender, id }));
      return row && decode(row);
    },
    waiting: async (receiver, after, limit) =>
      (await read.all(ask.waiting({ receiver, after, limit }))).map(decode),
    async countDelivery(receiver, first, last) {
      await write(async (tx) => tx.run(ask.countDelivery({ receiver, first, last })));
    },
    acknowledge: (receiver, upTo, nowMs) => write((tx) => acknowledge(tx, receiver, upTo, nowMs)),
    working: async (after, limit) => (await read.all(ask.working({ after, limit }))).map(decode),
    async progress(position, { runId, told }) {
      await write(async (tx) => {
        if (runId !== undefined) await tx.run(ask.setRun({ position, runId }));
        if (told !== undefined) await tx.run(ask.setTold({ position, told }));
      });
    },
    async finish(position, now) {
      await write(async (tx) => tx.run(ask.finish({ position, now })));
    },
    bury: (position, reason, nowMs) => write((tx) => bury(tx, position, reason, nowMs)),
    expired: async (now, limit) => (await read.all(ask.expired({ now, limit }))).map(decode),
    nextExpiry: async () => (await read.first(ask.nextExpiry({})))?.expires_at ?? null,
    inboxes: listInboxes,
    dead: listDead,
    revive: (position, expiresAt, limits) => write((tx) => revive(tx, position, expiresAt, limits)),
    async discard(position) {
      await write(async (tx) => {
        await deadRow(tx, position);
        await tx.run(ask.remove({ position }));
      });
    },
    forget: (before, limit) => write(async (tx) => tx.run(ask.forget({ before, limit }))),
  };
}

function encode(message: NewStoredMessage): NewRow {
  const { sender, id, receiver, state, document, fingerprint, sizeBytes, createdAt, expiresAt, hops } =
    message;
  refuseNul("an envelope's id, sender or receiver", `${id}${sender}${receiver}`);
  return {
    sender,
    id,
    receiver,
    state,
    document,
    fingerprint,
    size_bytes: sizeBytes,
    created_at: createdAt,
    expires_at: expiresAt,
    hops,
    settled_at: state === "done" ? createdAt : null,
    reason: null,
  };
}

function decode(row: Row): StoredMessage {
  const { position, sender, id, receiver, document, fingerprint, hops, deliveries, told } = row;
  return {
    position,
    sender,
    id,
    receiver,
    state: row.state,
    document,
    fingerprint,
    sizeBytes: row.size_bytes,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    hops,
    deliveries,
    runId: row.run_id,
    told,
  };
}

function decodeDead({ position, receiver, reason, settled_at, document }: Row): DeadLetter {
  // Only envelopes are written there.
  const envelope = JSON.parse(document) as Envelope;
  return { position, receiver, reason: reason ?? "undeliverable", at: iso(settled_at ?? 0), envelope };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function conflict(sender: string, id: string): ProctorError {
  return new ProctorError(
    "IDEMPOTENCY_CONFLICT",
    `"${sender}" has sent another envelope with the id "${id}"\ngive every envelope an id of its own`,
    { details: { from: sender, id } },
  );
}

function full(receiver: string): ProctorError {
  return new ProctorError(
    "INBOX_FULL",
    `the inbox of "${receiver}" is full\nsend it again in ${FULL_RETRY_SECONDS} seconds, or let "${receiver}" receive`,
    { details: { receiver, retry_after_seconds: FULL_RETRY_SECONDS } },
  );
}
