// The program as the operating system starts it: streams, signals, exit code. Importing this file runs it.
import { fstatSync } from "node:fs";
import { main } from "./main.ts";
import type { CliIo, CliOutput } from "./cli-io.ts";

/** npm and npx pass a Ctrl-C on to a program that the terminal has told already: one press arrives twice. */
const SAME_PRESS_MS = 400;
const PARENT_CHECK_MS = 250;
/** How long something that should have been closed may keep the process alive. */
const LINGER_MS = 2000;

const stop = new AbortController();
let stoppedAt: number | undefined;

const io: CliIo = {
  stdout: await outputOf(process.stdout),
  stderr: await outputOf(process.stderr),
  stdin: process.stdin,
  env: process.env,
  cwd: process.cwd(),
  signal: stop.signal,
};

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, interrupt);

// npm tells its shell to stop, and the shell tells nobody: a program that npm started goes when its parent goes.
if (process.env["npm_lifecycle_event"] !== undefined) {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stop.abort(), PARENT_CHECK_MS).unref();
}

// Whoever read our output left: what is in flight ends as after Ctrl-C.
process.stdout.on("error", () => stop.abort());
process.stderr.on("error", () => stop.abort());

process.on("uncaughtException", (error) => {
  void import("./report-error.ts").then(({ reportError }) => process.exit(reportError(error, io, false)));
});

process.exitCode = await main(process.argv.slice(2), io);
setTimeout(cutOff, LINGER_MS).unref();

/** Ends a program that something keeps alive although its work is done; what it was is a bug worth naming. */
function cutOff(): void {
  if (process.env["PROCTOR_DEBUG"] === "1") {
    process.stderr.write(`still open at the end: ${process.getActiveResourcesInfo().join(", ")}\n`);
  }
  process.exit();
}

/** A file is nobody's log, and gets every byte as it is. */
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
