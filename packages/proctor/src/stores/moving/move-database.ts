// Moves everything from one database to another: table by table, page by page, each page with a note of its progress, so that an
// interrupted move can continue. Then both sides are read and compared.
import { randomUUID } from "node:crypto";
import { ProctorError } from "../../core/errors.ts";
import { parseObject } from "../../core/parse-object.ts";
import { refuseOthers } from "./refuse-others.ts";
import { logChecksums, tableChecksums } from "./checksums.ts";
import { readTable, type MovingDatabase } from "./moving-database.ts";
import { MOVED, NOT_MOVED, NOT_MOVED_OF_POSTGRES } from "./tables.ts";

export interface MoveProgress {
  /** The present step: the name of a table, or `checksums`. */
  step: string;
  done: number;
  total: number;
}

export interface MoveOptions {
  onProgress?: (progress: MoveProgress) => void;
  /** Most rows of one transaction. */
  pageRows?: number;
  /** Milliseconds that other processes have to leave the PostgreSQL database. */
  othersLeaveMs?: number;
  /** Copies what is kept outside the tables. Called once both sides were compared, and again where a move continues. */
  bringRest?: () => Promise<void>;
  signal?: AbortSignal;
}

export interface MoveResult {
  rows: Record<string, number>;
  /** Number of logs that were compared, event by event. */
  logs: number;
  /** Checksum over the checksums of all logs, the same on both sides. */
  checksum: string;
  /** True when an interrupted move was completed. */
  continued: boolean;
}

/** The progress of a move, as the target notes it. */
interface Note {
  source: string;
  table: string;
  after: unknown[];
}

/** Moves the database. Throws ILLEGAL_TRANSITION where something is in flight or in the way, DATABASE_CORRUPT where the two differ afterwards. */
export async function moveDatabase(
  source: MovingDatabase,
  target: MovingDatabase,
  options: MoveOptions,
): Promise<MoveResult> {
  await refuseUnknown(source);
  await refuseWork(source);
  for (const side of [source, target]) await refuseOthers(side, options.othersLeaveMs, options.signal);
  const identity = await identify(source);
  const note = await readNote(target, identity);
  const rows: Record<string, number> = {};
  const first = note === undefined ? 0 : MOVED.findIndex(({ name }) => name === note.table);
  for (const [index, { name, key, emptied }] of MOVED.entries()) {
    const total = await countRows(source, name);
    rows[name] = total;
    if (index < first) continue;
    const after = index === first ? note?.after : undefined;
    const table = { name, key, identity, total, ...(after && { after }), ...(emptied && { emptied }) };
    await copyTable(source, target, table, options);
  }
  const result = await compare(source, target, rows["events"] ?? 0, options);
  await options.bringRest?.();
  const counted = MOVED.flatMap(({ name, counted: column }) => (column ? [{ table: name, column }] : []));
  await target.finish(counted, await lastPosition(source));
  return { rows, ...result, continued: note !== undefined };
}

async function copyTable(
  source: MovingDatabase,
  target: MovingDatabase,
  table: {
    name: string;
    key: readonly string[];
    identity: string;
    total: number;
    after?: readonly unknown[];
    emptied?: readonly string[];
  },
  { onProgress, pageRows, signal }: MoveOptions,
): Promise<void> {
  const { name, key, identity, total, after } = table;
  const shared = new Set(await target.columns(name));
  const columns = (await source.columns(name)).filter(
    (column) => shared.has(column) && table.emptied?.includes(column) !== true,
  );
  let done = after === undefined ? 0 : await countRows(target, name);
  for await (const page of readTable(source, name, key, after, pageRows)) {
    signal?.throwIfAborted();
    const last = page.at(-1);
    const note: Note = { source: identity, table: name, after: key.map((column) => last?.[column]) };
    const kept = name === "hub_facts" ? page.filter((row) => row["name"] !== "moving") : page;
    await target.insert(name, columns, kept, JSON.stringify(note));
    done += page.length;
    onProgress?.({ step: name, done, total });
  }
}

async function compare(
  source: MovingDatabase,
  target: MovingDatabase,
  events: number,
  { onProgress, signal }: MoveOptions,
): Promise<Pick<MoveResult, "logs" | "checksum">> {
  const expected = new Map<string, string>();
  let done = 0;
  const onRows = (count: number): void => {
    signal?.throwIfAborted();
    onProgress?.({ step: "checksums", done: (done += count), total: 2 * events });
  };
  let sum = 0n;
  await logChecksums(
    source,
    (id, checksum) => {
      expected.set(id, checksum);
      sum ^= BigInt(`0x${Buffer.from(checksum, "base64url").toString("hex")}`);
    },
    onRows,
  );
  const logs = expected.size;
  await logChecksums(
    target,
    (id, checksum) => {
      if (expected.get(id) !== checksum) throw differs(source, target, `the log of run ${id}`);
      expected.delete(id);
    },
    onRows,
  );
  for (const id of expected.keys()) throw differs(source, target, `the log of run ${id}`);
  const [before, after] = [await tableChecksums(source), await tableChecksums(target)];
  for (const [table, checksum] of before)
    if (after.get(table) !== checksum) throw differs(source, target, `the table ${table}`);
  return { logs, checksum: sum.toString(16).padStart(64, "0") };
}

/** Fails when there is a table for which it is not declared whether it is moved. */
async function refuseUnknown(source: MovingDatabase): Promise<void> {
  const left = [...Object.keys(NOT_MOVED), ...Object.keys(NOT_MOVED_OF_POSTGRES)];
  const known = new Set<string>([...MOVED.map(({ name }) => name), ...left]);
  const unknown = (await source.tables()).filter((table) => !known.has(table));
  if (unknown.length > 0) throw new Error(`nobody says how to move ${unknown.join(", ")}`);
}

async function refuseWork(source: MovingDatabase): Promise<void> {
  const [busy] = await source.all(
    "select id from runs where worker is not null and status in ('running', 'waiting', 'paused') limit 1",
  );
  if (busy !== undefined)
    throw inTheWay(
      `run ${busy["id"]} in ${source.where} is in flight`,
      "Let the runs end, or cancel them, and stop all hubs and workers.",
    );
}

/** Resolves with the source's own id, so that a move is never continued from another database. */
async function identify(source: MovingDatabase): Promise<string> {
  const read = async (): Promise<string | undefined> => {
    const [row] = await source.all("select value from hub_facts where name = 'database_id'");
    return row && String(row["value"]);
  };
  const known = await read();
  if (known !== undefined) return known;
  await source.all(
    "insert into hub_facts (name, value) values ('database_id', ?) on conflict (name) do nothing returning name",
    randomUUID(),
  );
  return (await read()) ?? "";
}

/** Resolves with undefined for an empty target. */
async function readNote(target: MovingDatabase, identity: string): Promise<Note | undefined> {
  const [row] = await target.all("select value from hub_facts where name = 'moving'");
  const note = row && (parseObject(String(row["value"])) as unknown as Note | undefined);
  if (note?.source === identity) return note;
  if (note !== undefined)
    throw inTheWay(
      `${target.where} holds a part of another database`,
      "Finish that move, or name an empty database.",
    );
  for (const { name } of MOVED)
    if ((await countRows(target, name)) > 0)
      throw inTheWay(`${target.where} is not empty: it has rows in ${name}`, "Name an empty database.");
  return undefined;
}

async function countRows(database: MovingDatabase, table: string): Promise<number> {
  const [row] = await database.all(`select count(*) as total from "${table}"`);
  return Number(row?.["total"] ?? 0);
}

async function lastPosition(source: MovingDatabase): Promise<number> {
  const [events] = await source.all("select max(position) as at from events where position is not null");
  const [floor] = await source.all("select max(position) as at from feed_floor");
  const [given] =
    source.kind === "postgres" ? await source.all("select last_value as at from feed_positions") : [];
  return Math.max(...[events, floor, given].map((row) => Number(row?.["at"] ?? 0)));
}

function inTheWay(what: string, next: string): ProctorError {
  return new ProctorError("ILLEGAL_TRANSITION", `${what}\n${next}`);
}

function differs(source: MovingDatabase, target: MovingDatabase, what: string): ProctorError {
  return new ProctorError(
    "DATABASE_CORRUPT",
    `${what} differs between ${source.where} and ${target.where}\n` +
      "The source is as it was. Was somebody writing to it? Empty the target and begin again.",
  );
}
