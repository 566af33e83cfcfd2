// A program that writes to a store until it is killed, and prints the last sequence of each append once it is acknowledged.
import { createWriteStream } from "node:fs";
import { logged, startRun } from "./fixtures.ts";
import { openSqliteStore } from "../../../src/stores/sqlite/open-store.ts";

const [file = ""] = process.argv.slice(2);
const store = await openSqliteStore({ file });
const output = createWriteStream("", { fd: 1 });

async function appendForever(worker: number): Promise<void> {
  const id = await startRun(store);
  for (let last = 2; ;) {
    const size = 1 + ((last + worker) % 70);
    await store.append(
      id,
      Array.from({ length: size }, (_, index) => logged(`${last + 1 + index}`)),
    );
    last += size;
    output.write(`${id} ${last}\n`);
  }
}

await Promise.all([0, 1, 2].map(appendForever));
