// Hubs and workers of the built program on one PostgreSQL server and one bucket, each behind connections that a test can cut or delay.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { eventually } from "../eventually.ts";
import { startHubProcess, type HubProcess } from "../hub-process.ts";
import { startPostgres, type PostgresServer } from "../postgres-server.ts";
import { PROGRAM } from "../program.ts";
import { BUCKET, S3_KEYS, startFaultProxy, startS3, type FaultProxy } from "../s3.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { startWorkerProcess, type WorkerProcess } from "../worker-process.ts";
import { openSmallDisk, type SmallDisk } from "./small-disk.ts";
import { openTcpProxy, type TcpProxy } from "./tcp-proxy.ts";

export interface Member<P> {
  folder: string;
  /** Its way to PostgreSQL. */
  database: TcpProxy;
  process: P;
  /** How far its clock is off, in milliseconds. */
  skewMs: number;
  /** Present where its folder is on a file system of its own. */
  disk?: SmallDisk;
}

export interface Cluster {
  /** The database, past all proxies. */
  url: string;
  server: PostgresServer;
  /** The way of all members to the bucket, as a connection and as requests. */
  bucket: { connections: TcpProxy; requests: FaultProxy };
  hubs: Member<HubProcess>[];
  workers: Member<WorkerProcess>[];
  /** Ends the process at once and starts another in its folder, however long the database is away. */
  restart: (member: Member<HubProcess> | Member<WorkerProcess>) => Promise<void>;
  /** How the processes that each worker starts are marked. */
  marks: () => string[];
  close: () => Promise<void>;
}

const SKEWED_CLOCK = fileURLToPath(new URL("./skewed-clock.cjs", import.meta.url));

export async function startCluster(options: {
  hubs: number;
  workers: number;
  agentLimit: number;
}): Promise<Cluster> {
  const server = await startPostgres();
  const url = server.url("postgres");
  const requests = await startFaultProxy(await startS3());
  const connections = await openTcpProxy(placeOf(requests.endpoint));
  const endpoint = `http://127.0.0.1:${connections.port}`;
  const shared = {
    SEAL_KEY: randomBytes(32).toString("base64"),
    ARTIFACTS_URL: `s3://${BUCKET}?endpoint=${encodeURIComponent(endpoint)}`,
    S3_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
    S3_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
    PROCTOR_AGENT_CONCURRENCY: String(options.agentLimit),
    PROCTOR_GRACE_SECONDS: "1",
    PROCTOR_LOG: "silent",
  };
  const hubs: Member<HubProcess>[] = [];
  const workers: Member<WorkerProcess>[] = [];

  const optionsOf = ({ folder, database, skewMs }: Omit<Member<unknown>, "process">) => {
    const through = new URL(url);
    through.port = String(database.port);
    const env = { ...shared, DATABASE_URL: through.href, ...(skewMs !== 0 && { SKEW_MS: String(skewMs) }) };
    return { folder, env, ...(skewMs !== 0 && { start: ["--require", SKEWED_CLOCK, PROGRAM] }) };
  };
  const startHub = (place: Omit<Member<unknown>, "process">): Promise<HubProcess> =>
    startHubProcess({ ...optionsOf(place), args: ["--concurrency", "0"] });
  const startWorker = (place: Omit<Member<unknown>, "process">): Promise<WorkerProcess> =>
    startWorkerProcess({ ...optionsOf(place), args: ["--concurrency", "4"] });

  async function newPlace(name: string, disk?: SmallDisk): Promise<Omit<Member<unknown>, "process">> {
    const folder = disk?.folder ?? temporaryFolder(name);
    return { folder, database: await openTcpProxy(placeOf(url)), skewMs: 0, ...(disk && { disk }) };
  }

  for (let index = 0; index < options.hubs; index++) {
    const place = await newPlace(`chaos-hub-${index}`);
    hubs.push({ ...place, process: await startHub(place) });
  }
  for (let index = 0; index < options.workers; index++) {
    const place = await newPlace(
      `chaos-worker-${index}`,
      index === 0 ? openSmallDisk("chaos-disk") : undefined,
    );
    workers.push({ ...place, process: await startWorker(place) });
  }

  async function restart(member: Member<HubProcess> | Member<WorkerProcess>): Promise<void> {
    await member.process.stop("SIGKILL");
    if (isHub(member)) member.process = await eventually(() => startHub(member));
    else member.process = await eventually(() => startWorker(member));
  }

  return {
    url,
    server,
    bucket: { connections, requests },
    hubs,
    workers,
    restart,
    marks: () => workers.map(({ folder }) => readFileSync(join(folder, ".proctor", "hub.id"), "utf8").trim()),
    async close() {
      for (const { process: one } of [...workers, ...hubs]) {
        process.kill(one.pid, "SIGCONT");
        await one.stop();
      }
      for (const { database } of [...workers, ...hubs]) await database.close();
      for (const { disk } of workers) disk?.close();
      await connections.close();
      await server.stop();
    },
  };
}

function isHub(member: Member<HubProcess> | Member<WorkerProcess>): member is Member<HubProcess> {
  return "url" in member.process;
}

function placeOf(url: string): { host: string; port: number } {
  return { host: "127.0.0.1", port: Number(new URL(url).port) };
}
