// An S3-compatible server with one bucket, in a process of its own.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";

const directory = mkdtempSync(join(tmpdir(), "proctor-s3-"));
const server = new S3rver({
  address: "127.0.0.1",
  port: 0,
  directory,
  silent: true,
  configureBuckets: [{ name: "proctor" }],
});
const { port } = await server.run();
console.log(`port ${port}`);
process.once("SIGTERM", () => {
  rmSync(directory, { recursive: true, force: true });
  process.exit(0);
});
