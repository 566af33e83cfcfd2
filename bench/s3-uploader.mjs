// Uploads a given number of megabytes to the bucket at a given address. It uses only the built program, because a compiler in the same
// process would be counted as memory.
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../packages/proctor/dist/runtime/time/system-clock.js";
import { openS3Blobs } from "../packages/proctor/dist/stores/blobs/s3-blobs.js";
import { openSqliteStore } from "../packages/proctor/dist/stores/sqlite/open-store.js";

const [endpoint = "", megabytes = "0"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "proctor-bench-"));
const store = await openSqliteStore({ file: join(folder, "p.db") });
const blobs = await openS3Blobs({
  bucket: "proctor",
  endpoint,
  region: "us-east-1",
  accessKeyId: "S3RVER",
  secretAccessKey: "S3RVER",
  clock: systemClock,
  random: Math.random,
  marks: store.blobMarks,
});

async function* source() {
  const chunk = randomBytes(64 * 1024);
  for (let count = 0; count < Number(megabytes) * 16; count++) yield chunk;
}

const { sha256, sizeBytes } = await blobs.put(source());
if ((await blobs.stat(sha256)) !== sizeBytes) throw new Error("the sizes differ");
await store.close();
rmSync(folder, { recursive: true, force: true });
