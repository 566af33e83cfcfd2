// An ATP agent over HTTP that costs as little as possible: three events and a response.
import { createServer } from "node:http";

const frame = (name, message) => `event: ${name}\ndata: ${JSON.stringify(message)}\n\n`;

const server = createServer((request, response) => {
  // The hub probes with GET whether the agent is reachable.
  if (request.method !== "POST") return void response.writeHead(405).end();
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const { task_id } = JSON.parse(Buffer.concat(chunks).toString());
    const artifacts = [{ type: "structured", name: "result", data: { output: "done" } }];
    const answer = { version: "1.0", task_id, status: "completed", artifacts, metrics: { total_steps: 3 } };
    if (request.url === "/execute") {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(answer));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    let text = "";
    for (let sequence = 0; sequence < 3; sequence++) {
      const timestamp = new Date().toISOString();
      const payload = { message: "working", percentage: sequence * 40 };
      text += frame("event", {
        version: "1.0",
        task_id,
        timestamp,
        sequence,
        event_type: "progress",
        payload,
      });
    }
    text += frame("response", answer);
    response.end(text);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => console.log(`port ${server.address().port}`));
process.on("SIGTERM", () => process.exit(0));
