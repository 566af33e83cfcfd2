// The bare limit of a stream: node:http that writes the frames of a file one after the other, and waits when the reader is slow.
import { readFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";

const frames = readFileSync(process.argv[2] ?? "", "utf8")
  .split("\n\n")
  .filter((frame) => frame !== "")
  .map((frame) => `${frame}\n\n`);

async function send(response) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const frame of frames) if (!response.write(frame)) await once(response, "drain");
  response.end();
}

const server = createServer((_request, response) => void send(response));
server.listen(0, "127.0.0.1", () => console.log(`port ${server.address().port}`));
process.on("SIGTERM", () => process.exit(0));
