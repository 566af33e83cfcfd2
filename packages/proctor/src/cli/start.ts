// The program as the operating system starts it: streams, signals, exit code. Importing this file runs it.
import { fstatSync } from "node:fs";
import { main } from "./main.ts";
import type { CliIo, CliOutput } from "./cli-io.ts";

/** Milliseconds within which two signals count as one Ctrl-C: npm and npx pass each press on a second time. */
const SAME_PRESS_MS = 400;
const PARENT_CHECK_MS = 250;
/** Milliseconds for which something that should have been closed may keep the process alive. */
const LINGER_MS = 2000;

const stop = new AbortController();
let stoppedAt: number | undefined;

void start();

async function start(): Promise<void> {
  const io: CliIo = {
    stdout: await outputOf(process.stdout),
    stderr: await outputOf(process.stderr),
    stdin: process.stdin,
    env: process.env,
    cwd: process.cwd(),
    signal: stop.signal,
    interrupt,
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, interrupt);
  if (process.env["npm_lifecycle_event"] !== undefined) endWithParent();
  // Nobody reads our output any more: runs in flight end as after Ctrl-C.
  process.stdout.on("error", () => stop.abort());
  process.stderr.on("error", () => stop.abort());
  process.on("uncaughtException", (error) => {
    void import("./report-error.ts").then(({ reportError }) => process.exit(reportError(error, io, false)));
  });

  process.exitCode = await main(process.argv.slice(2), io);
  setTimeout(cutOff, LINGER_MS).unref();
}

/** Ends a program that npm started when its parent ends: npm stops only its shell, which does not pass the signal on. */
function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stop.abort(), PARENT_CHECK_MS).unref();
}

/** Ends a program that something keeps alive although its work is done, and names what it was: that is a bug. */
function cutOff(): void {
  if (process.env["PROCTOR_DEBUG"] === "1") {
    process.stderr.write(`still open at the end: ${process.getActiveResourcesInfo().join(", ")}\n`);
  }
  process.exit();
}

/** Guards output that the runner of GitHub Actions reads. A file gets every byte as it is. */
async function outputOf(stream: NodeJS.WriteStream & { fd: number }): Promise<CliOutput> {
  if (process.env["GITHUB_ACTIONS"] !== "true" || isFile(stream.fd)) return stream;
  return (await import("./guard-commands.ts")).guardCommands(stream);
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}

function interrupt(): void {
  const now = Date.now();
  if (stoppedAt === undefined) {
    stoppedAt = now;
    stop.abort();
  } else if (now - stoppedAt > SAME_PRESS_MS) {
    process.exit(130);
  }
}
