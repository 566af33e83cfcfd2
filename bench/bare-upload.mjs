// The bare limit of an upload: node:http, which hashes the body and writes it to a file, on disk before the answer.
import { createHash } from "node:crypto";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

const folder = mkdtempSync(join(tmpdir(), "proctor-bare-upload-"));
let count = 0;

const server = createServer((request, response) => {
  const hash = createHash("sha256");
  async function* hashed() {
    for await (const chunk of request) {
      hash.update(chunk);
      yield chunk;
    }
  }
  const file = createWriteStream(join(folder, String(count++)), { flush: true });
  void pipeline(hashed(), file).then(() => {
    const body = hash.digest("hex");
    response.writeHead(201, { "content-length": body.length }).end(body);
  });
});
server.listen(0, "127.0.0.1", () => console.log(`port ${server.address().port}`));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
process.on("SIGTERM", () => process.exit(0));
