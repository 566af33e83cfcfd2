// Another process that wants the lock of a data folder: takes it whenever it reads `take`, publishes on `publish` and releases on
// `release`, and prints what came of each.
import { createInterface } from "node:readline";
import { ProctorError } from "../../src/core/errors.ts";
import { acquireLock, type Lock } from "../../src/hub/hub-lock.ts";

const [, , file = "", command = ""] = process.argv;
let lock: Lock | undefined;

async function take(): Promise<string> {
  try {
    lock = await acquireLock(file, { command });
    return "taken";
  } catch (error) {
    if (!ProctorError.is(error)) throw error;
    return error.code;
  }
}

process.stdout.write("ready\n");
for await (const word of createInterface(process.stdin)) {
  if (word === "take") process.stdout.write(`${await take()}\n`);
  if (word === "publish") {
    await lock?.publish({ url: "http://127.0.0.1:4242", token: "t0ken" });
    process.stdout.write("published\n");
  }
  if (word === "release") {
    await lock?.release();
    process.stdout.write("released\n");
  }
}
