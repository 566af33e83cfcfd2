// Creating a run, on disk before the answer.
import { request, type Agent } from "node:http";
import { measureDurablePost } from "./durable-post.ts";
import type { Result } from "./measure.ts";

const BODY = JSON.stringify({
  agent: "atp+stdio:true",
  task: { description: "Find top 5 competitors for Slack", input_data: { company: "Slack" } },
});

export function bench(): Promise<Result> {
  return measureDurablePost({
    name: "post-runs",
    what: "POST /runs durable (synchronous=FULL) / raw node:http POST, 32 connections of a node:http client",
    bound: { atLeast: 0.5 },
    post,
  });
}

function post(port: number, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(BODY) };
    const sent = request(
      { host: "127.0.0.1", port, path: "/runs", method: "POST", agent, headers },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        response.on("end", () =>
          response.statusCode === 202 ? resolve(text) : reject(new Error(`${response.statusCode}: ${text}`)),
        );
      },
    );
    sent.on("error", reject).end(BODY);
  });
}
