// Databases for tests, on the server that all test files of a run share.
import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { afterEveryFile } from "./closing.ts";
import { POSTGRES_DESK } from "./share-postgres.ts";

const opened: { name: string; server: string }[] = [];
/** Connections of `look` that nobody uses now, by address: to open one costs the server many times what a short statement does. */
const idle = new Map<string, Set<Client>>();
/** Connections that empty databases, by address: one that has just been opened knows none of the tables yet, which costs more than the rows. */
const cleaners = new Map<string, Client>();
let answer: Promise<{ url: string } | { reason: string }> | undefined;

afterEveryFile(async () => {
  for (const client of cleaners.values()) await client.end();
  cleaners.clear();
  for (const clients of idle.values()) await endAll(clients);
  idle.clear();
  for (const { name, server } of opened.splice(0)) {
    await query(`${server}postgres`, `drop database if exists "${name}" with (force)`);
  }
});

function ask(): Promise<{ url: string } | { reason: string }> {
  return (answer ??= (async () => {
    const response = await fetch(process.env[POSTGRES_DESK] ?? "");
    const text = await response.text();
    return response.ok ? { url: text } : { reason: text };
  })());
}

/** For `describe.skipIf(await lacksPostgres("…"))`. */
export async function lacksPostgres(what: string): Promise<boolean> {
  const found = await ask();
  if ("reason" in found)
    console.log(`skipped: ${what}: no PostgreSQL server can be started: ${found.reason}`);
  return "reason" in found;
}

/** Creates a database that is dropped at the end of the file, and returns its address. */
export async function createDatabase(): Promise<string> {
  const found = await ask();
  if ("reason" in found) throw new Error(found.reason);
  const name = `test_${randomBytes(6).toString("hex")}`;
  await query(`${found.url}postgres`, `create database "${name}"`);
  opened.push({ name, server: found.url });
  return `${found.url}${name}`;
}

/** Runs one statement on a connection of its own, beside whatever is tested. */
export async function query(url: string, sql: string, parameters: unknown[] = []): Promise<object[]> {
  const client = await connect(url);
  try {
    return (await client.query<object>(sql, parameters)).rows;
  } finally {
    await client.end();
  }
}

/** The same for a statement that is repeated until its answer is the awaited one: its connection is kept for the next time. */
export async function look(url: string, sql: string, parameters: unknown[] = []): Promise<object[]> {
  const clients = idle.get(url) ?? new Set();
  idle.set(url, clients);
  const [free] = clients;
  if (free !== undefined) clients.delete(free);
  const client = free ?? (await connect(url));
  // It is forgotten when its server goes.
  if (free === undefined) client.once("end", () => clients.delete(client));
  try {
    const { rows } = await client.query<object>(sql, parameters);
    clients.add(client);
    return rows;
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function endAll(clients: ReadonlySet<Client>): Promise<void> {
  await Promise.all([...clients].map((client) => client.end()));
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/**
 * Removes everything from a database of Proctor's but its version. Rows are deleted one by one: to truncate makes a new file for every table and index,
 * which takes the server several times as long as the few rows of a test. No constraint is looked at meanwhile, so the order does not matter.
 */
export async function emptyDatabase(url: string): Promise<void> {
  const cleaner = cleaners.get(url) ?? (await connect(url));
  cleaners.set(url, cleaner);
  await cleaner.query(
    `do $$ declare name text; begin
       perform set_config('session_replication_role', 'replica', true);
       for name in select tablename from pg_tables where schemaname = 'public' and tablename <> 'proctor_migrations' loop
         execute format('delete from %I', name);
       end loop;
       perform setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false) from pg_sequences where schemaname = 'public';
     end $$`,
  );
}
