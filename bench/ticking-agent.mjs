// An ATP agent over HTTP for streams that are all open at once: it waits until it has a given number of tasks, then reports on each of them
// a given number of times, and answers them all.
import { createServer } from "node:http";

const [tasks, events, everyMs] = process.argv.slice(2).map(Number);
const frame = (name, message) => `event: ${name}\ndata: ${JSON.stringify(message)}\n\n`;
let open = [];

function tick(sequence, streams) {
  const timestamp = new Date().toISOString();
  const payload = { message: `working on step ${sequence}`, percentage: sequence };
  for (const { response, task_id } of streams) {
    const event = { version: "1.0", task_id, timestamp, sequence, event_type: "progress", payload };
    response.write(frame("event", event));
  }
  if (sequence + 1 < events) return setTimeout(tick, everyMs, sequence + 1, streams);
  for (const { response, task_id } of streams) {
    const artifacts = [{ type: "structured", name: "result", data: { output: "done" } }];
    const answer = {
      version: "1.0",
      task_id,
      status: "completed",
      artifacts,
      metrics: { total_steps: events },
    };
    response.end(frame("response", answer));
  }
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const { task_id } = JSON.parse(Buffer.concat(chunks).toString());
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    open.push({ response, task_id });
    if (open.length < tasks) return;
    tick(0, open);
    open = [];
  });
});
server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 }, () =>
  console.log(`port ${server.address().port}`),
);
process.on("SIGTERM", () => process.exit(0));
