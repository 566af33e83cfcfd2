// The bare limit of HTTP: node:http, which reads the body if there is one and answers with the bytes given.
import { createServer } from "node:http";

const body = Buffer.from(process.argv[2] ?? "{}", "base64");
const status = Number(process.argv[3] ?? "200");
const headers = { "content-type": "application/json", "content-length": body.length };

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString());
    response.writeHead(status, headers).end(body);
  });
});
// The connections must outlive a round of the slowest server that this one is compared with.
server.keepAliveTimeout = 60_000;
server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 }, () =>
  console.log(`port ${server.address().port}`),
);
process.on("SIGTERM", () => process.exit(0));
