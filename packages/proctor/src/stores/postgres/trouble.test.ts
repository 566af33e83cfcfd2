// What goes wrong between a store and its database, on a server of its own that is stopped and started.
import { createServer, connect, type Server, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openTcpProxy } from "../../../test/support/chaos/tcp-proxy.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { lacksPostgres, query } from "../../../test/support/postgres.ts";
import { startPostgres, type PostgresServer } from "../../../test/support/postgres-server.ts";
import { logged, newRun, readLog, startRun } from "../../../test/support/stores/fixtures.ts";
import type { Store } from "../../core/ports/store.ts";
import { MIGRATIONS } from "../sql/migrations.ts";
import { openPostgresStore } from "./open-store.ts";

describe.skipIf(await lacksPostgres("trouble with PostgreSQL"))(
  "a store whose database is in trouble",
  () => {
    let server: PostgresServer;
    let count = 0;
    const stores: Store[] = [];
    const closing: (() => Promise<unknown>)[] = [];

    beforeAll(async () => {
      server = await startPostgres();
    });
    afterEach(async () => {
      for (const store of stores.splice(0)) await store.close();
      for (const close of closing.splice(0)) await close();
    });
    afterAll(async () => {
      await server.stop();
    });

    async function database(): Promise<string> {
      const name = `trouble_${++count}`;
      await query(server.url("postgres"), `create database ${name}`);
      return server.url(name);
    }

    async function open(url: string): Promise<Store> {
      const store = await openPostgresStore({ url });
      stores.push(store);
      return store;
    }

    const refusal = async (url: string) => {
      const error: unknown = await open(url).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: "ProctorError" });
      const { code, message } = error as { code: string; message: string };
      expect(message).not.toContain("swordfish");
      return { code, message };
    };

    it("gives up connections that fell silent, and goes on with others", async () => {
      const url = new URL(await database());
      const proxy = await openTcpProxy({ host: url.hostname, port: Number(url.port) });
      closing.push(() => proxy.close());
      url.port = String(proxy.port);
      const store = await openPostgresStore({ url: url.href, answerMs: 1000 });
      stores.push(store);
      const id = await startRun(store);
      proxy.silence();
      // Whether it was written cannot be known; what was asked is asked again.
      await expect(store.createRun(newRun())).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
      proxy.silence();
      expect(await store.readRun(id)).toMatchObject({ id });
      proxy.silence();
      await expect(store.append(id, [logged("lost")])).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
      await store.append(id, [logged("kept")]);
      expect((await readLog(store, id)).at(-1)?.payload).toMatchObject({ text: "kept" });
    });

    it("works through a restart: writes fail meanwhile and succeed afterwards, and others hear of them", async () => {
      const url = await database();
      const [store, other] = [await open(url), await open(url)];
      const id = await startRun(store);
      const heard: number[] = [];
      other.watch((runId, last) => runId === id && heard.push(last));
      await server.restart(async () => {
        const unavailable = { code: "STORE_UNAVAILABLE" };
        await expect(store.append(id, [logged("lost")])).rejects.toMatchObject(unavailable);
        await expect(store.createRun(newRun())).rejects.toMatchObject(unavailable);
        await expect(store.readRun(id)).rejects.toMatchObject(unavailable);
        await expect(store.ping()).rejects.toMatchObject(unavailable);
      });
      await eventually(() => store.append(id, [logged("kept")]));
      const log = await readLog(store, id);
      expect(log.slice(3).map(({ payload }) => payload)).toMatchObject([{ text: "kept" }]);
      await eventually(() => expect(heard.at(-1)).toBe(3));
      // The new listening connection hears the next one as well.
      await store.append(id, [logged("again")]);
      await eventually(() => expect(heard.at(-1)).toBe(4));
    });

    it("reports no write as made whose commit was not answered, and makes none twice", async () => {
      const url = await database();
      const proxy = await openProxy(url);
      const store = await open(proxy.url);
      const id = await startRun(store);
      proxy.swallowAnswers();
      const append = store.append(id, [logged("once")]);
      const create = store.createRun(newRun({ id: "r1" }));
      const outcomes = Promise.allSettled([append, create]);
      await eventually(async () =>
        expect(await query(url, "select sequence from events where run_id = $1", [id])).toHaveLength(4),
      );
      proxy.cut();
      for (const outcome of await outcomes)
        expect(outcome).toMatchObject({ status: "rejected", reason: { code: "STORE_UNAVAILABLE" } });
      const log = await eventually(() => readLog(store, id));
      expect(log.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3]);
      await store.append(id, [logged("next")]);
      expect(await readLog(store, id)).toHaveLength(5);
    });

    it("loses a connection that another ended, and goes on", async () => {
      const url = await database();
      const store = await open(url);
      const id = await startRun(store);
      const kill =
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'proctor' and datname = current_database()";
      await query(url, kill);
      expect(await store.readRun(id)).toMatchObject({ id });
      await eventually(() => store.append(id, [logged("on")]));
    });

    it("is refused with the reason and what to do", async () => {
      const url = await database();
      const { port } = new URL(url);
      expect(await refusal(url.replace(port, "1"))).toMatchObject({
        code: "STORE_UNAVAILABLE",
        message: expect.stringContaining("cannot be reached") as string,
      });
      expect(await refusal(url.replace("swordfish", "wrong-word"))).toMatchObject({
        code: "CONFIG_INVALID",
        message: expect.stringContaining("the user or the password is refused") as string,
      });
      expect(await refusal(server.url("nobody"))).toMatchObject({
        code: "CONFIG_INVALID",
        message: expect.stringContaining("there is no such database") as string,
      });
      await query(url, "create role guest login password 'swordfish'");
      expect(await refusal(url.replace("postgres:swordfish", "guest:swordfish"))).toMatchObject({
        code: "CONFIG_INVALID",
        message: expect.stringContaining("lacks rights") as string,
      });
    });

    it("says that there is no room, and goes on when there is", async () => {
      const url = await database();
      const store = await open(url);
      const id = await startRun(store);
      // Reports what the server reports on a full disk, in the middle of an append.
      await query(
        url,
        `create function full_disk() returns trigger language plpgsql as $$ begin
         raise exception 'could not extend file: No space left on device' using errcode = '53100';
       end $$;
       create trigger full_disk before insert on events execute function full_disk();
       create trigger full_disk before insert on proctor_probes execute function full_disk()`,
      );
      const full = { code: "STORE_FULL", message: expect.stringContaining("Free some disk space") as string };
      await expect(store.append(id, [logged("lost")])).rejects.toMatchObject(full);
      await expect(store.createRun(newRun())).rejects.toMatchObject(full);
      await expect(store.ping()).rejects.toMatchObject(full);
      await query(url, "drop function full_disk cascade");
      await store.append(id, [logged("kept")]);
      expect(await readLog(store, id)).toHaveLength(4);
    });

    it("refuses a database of a newer version, and one of another program", async () => {
      const url = await database();
      const store = await open(url);
      await store.close();
      const newer = MIGRATIONS.length + 1;
      await query(url, `insert into proctor_migrations values (${newer}, 'later', 0)`);
      expect(await refusal(url)).toMatchObject({
        code: "DATABASE_TOO_NEW",
        message: expect.stringContaining(
          `has schema version ${newer}; this Proctor knows versions up to`,
        ) as string,
      });
      const foreign = await database();
      await query(foreign, "create table runs (id int)");
      expect(await refusal(foreign)).toMatchObject({
        code: "CONFIG_INVALID",
        message: expect.stringContaining("holds tables of another program (runs)") as string,
      });
      expect(
        await query(foreign, "select tablename from pg_tables where schemaname = 'public'"),
      ).toHaveLength(1);
    });

    it("is refused behind a pooler that lets nobody listen", async () => {
      const proxy = await openProxy(await database(), { dropNotifications: true });
      const { code, message } = await refusal(proxy.url);
      expect(code).toBe("CONFIG_INVALID");
      expect(message).toContain("does not hear notifications");
    });

    it("sets limits on every connection, and commits to disk", async () => {
      const url = await database();
      await query(url, `alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`);
      const store = await open(url);
      const { connectPool } = await import("./connect.ts");
      const pool = await connectPool({ url, connections: 1 });
      closing.push(() => pool.end());
      const { rows } = await pool.query<{ name: string; setting: string }>(
        "select name, setting from pg_settings where name in ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout', 'synchronous_commit') order by name",
      );
      expect(rows.map(({ setting }) => setting)).toEqual(["10000", "5000", "60000", "on"].toSorted());
      await store.ping();
    });

    interface Proxy {
      url: string;
      /** From now on nothing reaches the store. */
      swallowAnswers: () => void;
      /** Ends all connections; new ones work. */
      cut: () => void;
    }

    /** Stands between a store and its database. */
    async function openProxy(url: string, { dropNotifications = false } = {}): Promise<Proxy> {
      const target = new URL(url);
      const sockets = new Set<Socket>();
      let swallows = false;
      const listener: Server = createServer((client) => {
        const upstream = connect(Number(target.port), "127.0.0.1");
        for (const socket of [client, upstream]) {
          sockets.add(socket);
          socket.on("error", () => undefined);
          socket.on("close", () => {
            sockets.delete(socket);
            client.destroy();
            upstream.destroy();
          });
        }
        client.on("data", (bytes) => upstream.write(bytes));
        let rest = Buffer.alloc(0);
        upstream.on("data", (bytes: Buffer) => {
          if (swallows) return;
          if (!dropNotifications) return void client.write(bytes);
          rest = Buffer.concat([rest, bytes]);
          while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
            const end = 1 + rest.readUInt32BE(1);
            if (rest[0] !== "A".charCodeAt(0)) client.write(rest.subarray(0, end));
            rest = rest.subarray(end);
          }
        });
      });
      await new Promise<void>((resolve) => void listener.listen(0, "127.0.0.1", resolve));
      closing.push(() => new Promise((resolve) => listener.close(resolve)));
      const address = listener.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      return {
        url: url.replace(`:${target.port}/`, `:${port}/`),
        swallowAnswers: () => void (swallows = true),
        cut() {
          swallows = false;
          for (const socket of sockets) socket.destroy();
        },
      };
    }
  },
);
