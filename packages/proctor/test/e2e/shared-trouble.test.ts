// `proctor up` and `proctor worker` where what they are to share is not as it should be: each says what is wrong and what to do, and leaves
// what it found as it was.
import { randomBytes } from "node:crypto";
import { connect, createServer } from "node:net";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openConnection } from "../../src/stores/postgres/postgres-connection.ts";
import { postgresDialect } from "../../src/stores/postgres/postgres-dialect.ts";
import { migrate } from "../../src/stores/sql/migrate.ts";
import { MIGRATIONS } from "../../src/stores/sql/migrations.ts";
import { eventually, HANG_MS } from "../support/eventually.ts";
import { createDatabase, lacksPostgres, look, query } from "../support/postgres.ts";
import { runProgram } from "../support/program.ts";
import { runCommand } from "../support/run-command.ts";
import { BUCKET, S3_KEYS, startS3 } from "../support/s3.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const newKey = (): string => randomBytes(32).toString("base64");

describe.skipIf(await lacksPostgres("trouble with what is shared"))(
  "a process whose shared places are wrong",
  { timeout: HANG_MS },
  () => {
    const folder = temporaryFolder("shared-trouble");
    const sealKey = newKey();
    let url = "";
    let bucket: Record<string, string>;
    const closing: (() => void)[] = [];

    beforeAll(async () => {
      url = await createDatabase();
      const endpoint = encodeURIComponent(await startS3());
      bucket = {
        ARTIFACTS_URL: `s3://${BUCKET}?endpoint=${endpoint}`,
        S3_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
        S3_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
      };
      // A worker that found nothing to do has made the tables.
      const made = await runProgram(["worker", "--drain"], { folder, env: env() });
      expect(made).toMatchObject({ code: 0 });
    }, HANG_MS);
    afterAll(() => {
      for (const close of closing) close();
    });

    const env = (more: Record<string, string> = {}): Record<string, string> => ({
      DATABASE_URL: url,
      SEAL_KEY: sealKey,
      ...more,
    });

    /** What both kinds of process say, which must be the same. They end with 2, or with 1 where the same command may succeed later. */
    async function refusal(changed: Record<string, string>, expected = 2): Promise<string> {
      const said: string[] = [];
      for (const args of [["up", "--port", "0"], ["worker"]]) {
        const { code, stderr, stdout } = await runCommand(args, { folder, env: env(changed) });
        expect(code, stdout + stderr).toBe(expected);
        expect(stderr).not.toContain("swordfish");
        expect(stderr).not.toMatch(/^\s+at /m);
        said.push(stderr);
      }
      expect(said[1]).toBe(said[0]);
      return said[0] ?? "";
    }

    const tablesOf = async (where: string): Promise<object[]> =>
      query(
        where,
        "select schemaname, tablename from pg_tables where schemaname not in ('pg_catalog', 'information_schema') order by 1, 2",
      );

    it("is told that the database is not there, or lets nobody in", async () => {
      const { port } = new URL(url);
      const unreachable = await refusal({ DATABASE_URL: url.replace(`:${port}/`, ":1/") }, 1);
      expect(unreachable).toContain("the database cannot be reached");
      expect(unreachable).toContain("host and port in DATABASE_URL");
      const wrongPassword = await refusal({ DATABASE_URL: url.replace("swordfish", "wrong-word") });
      expect(wrongPassword).toContain("the user or the password is refused");
      expect(wrongPassword).not.toContain("wrong-word");
      const missing = await refusal({ DATABASE_URL: url.replace(/[^/]*$/, "nothing_there") });
      expect(missing).toContain("there is no such database");
    });

    it("is told which rights are missing", async () => {
      const name = `guest_${randomBytes(4).toString("hex")}`;
      await query(url, `create role ${name} login password 'swordfish'`);
      const before = await tablesOf(url);
      const guest = url.replace("postgres:swordfish", `${name}:swordfish`);
      expect(await refusal({ DATABASE_URL: guest })).toContain("this user lacks rights");
      const empty = await createDatabase();
      const there = await refusal({ DATABASE_URL: empty.replace("postgres:swordfish", `${name}:swordfish`) });
      expect(there).toContain("this user lacks rights");
      expect(await tablesOf(empty)).toEqual([]);
      expect(await tablesOf(url)).toEqual(before);
      await query(url, `drop role ${name}`);
    });

    it("takes a database of an earlier version along, with what is in it", async () => {
      const old = await createDatabase();
      const client = new Client({ connectionString: old });
      await client.connect();
      await migrate(openConnection(client), postgresDialect, "the test", MIGRATIONS.slice(0, -3));
      await client.end();
      await query(old, "insert into hub_alive (id, at) values (1, 42)");
      const versions = () => query(old, "select max(version) as version from proctor_migrations");
      expect(await versions()).toEqual([{ version: MIGRATIONS.length - 3 }]);
      const taken = await runCommand(["worker", "--drain"], { folder, env: env({ DATABASE_URL: old }) });
      expect(taken).toMatchObject({ code: 0 });
      expect(await versions()).toEqual([{ version: MIGRATIONS.length }]);
      expect(await query(old, "select at from hub_alive")).toEqual([{ at: "42" }]);
    });

    it("refuses a bucket that holds the artifacts of another database, and leaves it as it is", async () => {
      const mine = await runCommand(["worker", "--drain"], { folder, env: env(bucket) });
      expect(mine).toMatchObject({ code: 0 });
      const other = await createDatabase();
      const said = await refusal({ ...bucket, DATABASE_URL: other });
      expect(said).toContain("holds the artifacts of another database");
      expect(said).toContain("Create a bucket for this one and name it in ARTIFACTS_URL");
      const again = await runCommand(["worker", "--drain"], { folder, env: env(bucket) });
      expect(again).toMatchObject({ code: 0 });
    });

    it("refuses a database of a later version", async () => {
      const other = await createDatabase();
      await runCommand(["worker", "--drain"], { folder, env: env({ DATABASE_URL: other }) });
      await query(other, "insert into proctor_migrations values (9999, 'later', 0)");
      const before = await tablesOf(other);
      const newer = await refusal({ DATABASE_URL: other });
      expect(newer).toContain("has schema version 9999");
      expect(newer).toMatch(/update|upgrade|newer/i);
      expect(await tablesOf(other)).toEqual(before);
    });

    it("leaves the tables of another program alone", async () => {
      const foreign = await createDatabase();
      await query(foreign, "create table invoices (id int)");
      const before = await tablesOf(foreign);
      const said = await refusal({ DATABASE_URL: foreign });
      expect(said).toContain("holds tables of another program (invoices)");
      expect(said).toContain("create an empty one");
      expect(await tablesOf(foreign)).toEqual(before);
    });

    it("refuses a connection that hears no notifications", async () => {
      const port = await deafPooler(Number(new URL(url).port));
      const deaf = new URL(url);
      deaf.port = String(port);
      const said = await refusal({ DATABASE_URL: deaf.href });
      expect(said).toContain("does not hear notifications");
      expect(said).toContain("pooler in session mode");
    });

    it("refuses to join with the key of another cluster", async () => {
      const said = await refusal({ SEAL_KEY: newKey() });
      expect(said).toContain("sealed with another key");
      expect(said).toContain("Set SEAL_KEY");
      // Nor with none: it would make one of its own.
      const none = await runCommand(["worker"], {
        folder: temporaryFolder("keyless"),
        env: { DATABASE_URL: url },
      });
      expect(none).toMatchObject({ code: 2 });
      expect(none.stderr).toContain("Set SEAL_KEY");
    });

    it("leaves no connection to the database when it is refused", async () => {
      const place = await createDatabase();
      await runCommand(["worker", "--drain"], { folder, env: env({ DATABASE_URL: place }) });
      await refusal({ DATABASE_URL: place, SEAL_KEY: newKey() });
      const others = "select count(*)::int as open from pg_stat_activity where datname = current_database()";
      await eventually(async () => expect(await look(place, others)).toEqual([{ open: 1 }]));
    });

    it("is told that the bucket is missing, away, or does not know its keys", async () => {
      const absent = await refusal({ ...bucket, ARTIFACTS_URL: bucketAt("nowhere") });
      expect(absent).toContain("there is no bucket nowhere");
      expect(absent).toContain("create it, or correct ARTIFACTS_URL");
      const away = await refusal(
        { ...bucket, ARTIFACTS_URL: `s3://${BUCKET}?endpoint=http://127.0.0.1:1` },
        1,
      );
      expect(away).toContain("cannot be reached");
      // The server of these tests looks at the name of the pair only.
      const wrong = { S3_ACCESS_KEY_ID: "SOMEBODY", S3_SECRET_ACCESS_KEY: "wrong-secret" };
      const keys = await refusal({ ...bucket, ...wrong });
      expect(keys).toContain("does not accept the keys");
      expect(keys).not.toContain("wrong-secret");
    });

    const bucketAt = (name: string): string =>
      bucket["ARTIFACTS_URL"]?.replace(`//${BUCKET}?`, `//${name}?`) ?? "";

    /** Passes everything on but notifications, as a pooler does that shares connections between transactions. */
    async function deafPooler(target: number): Promise<number> {
      const listener = createServer((client) => {
        const upstream = connect(target, "127.0.0.1");
        for (const socket of [client, upstream]) {
          socket.on("error", () => undefined);
          socket.on("close", () => {
            client.destroy();
            upstream.destroy();
          });
        }
        client.pipe(upstream);
        let rest = Buffer.alloc(0);
        upstream.on("data", (bytes: Buffer) => {
          rest = Buffer.concat([rest, bytes]);
          while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
            const end = 1 + rest.readUInt32BE(1);
            if (rest[0] !== "A".charCodeAt(0)) client.write(rest.subarray(0, end));
            rest = rest.subarray(end);
          }
        });
      });
      await new Promise<void>((resolve) => void listener.listen(0, "127.0.0.1", resolve));
      closing.push(() => listener.close());
      const address = listener.address();
      return address !== null && typeof address === "object" ? address.port : 0;
    }
  },
);
