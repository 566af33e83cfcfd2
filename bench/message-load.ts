// One envelope by POST, and one long poll, with node:http.
import { request, type Agent } from "node:http";

export function postEnvelope(port: number, agent: Agent, to: string): Promise<string> {
  const body = JSON.stringify({
    from: "user:bench",
    to,
    type: "request",
    action: "look",
    payload: { task: "Find top 5 competitors for Slack", input: { company: "Slack" } },
  });
  return ask(port, agent, "POST", "/messages", body, 202);
}

/** Resolves when an envelope has arrived, and acknowledges everything up to `after`. */
export async function poll(
  port: number,
  agent: Agent,
  party: string,
  after: number,
): Promise<{ position: number }[]> {
  const path = `/messages?for=${party}&after=${after}&wait=60`;
  const { items } = JSON.parse(await ask(port, agent, "GET", path, "", 200)) as {
    items: { position: number }[];
  };
  return items;
}

function ask(
  port: number,
  agent: Agent,
  method: string,
  path: string,
  body: string,
  status: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers =
      body === "" ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const sent = request({ host: "127.0.0.1", port, path, method, agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () =>
        response.statusCode === status ? resolve(text) : reject(new Error(`${response.statusCode}: ${text}`)),
      );
    });
    sent.on("error", reject).end(body);
  });
}
