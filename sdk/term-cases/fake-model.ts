// An OpenAI-compatible endpoint that answers from a script, which may tell it to misbehave.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

export interface ScriptedAnswer {
  status?: number;
  headers?: Record<string, string>;
  json?: unknown;
  text?: string;
  /** Events of a stream. A string is sent as it is, anything else as JSON. */
  sse?: unknown[];
  /** Whether the stream is sent byte by byte. */
  cut_up?: boolean;
  crlf?: boolean;
  /** Whether the connection is cut after the answer, whose announced length is longer. */
  cut?: boolean;
  /** Whether the connection stays open after the answer without an end. */
  hang?: boolean;
}

export const KEY = "secret-key-1";

export interface FakeModel {
  url: string;
  /** Bodies of the requests, in the order in which they arrived. */
  requests: unknown[];
  /** Parts of requests that break the rules of the API, such as a wrong path or a missing key. */
  complaints: string[];
  /** Forgets all requests and complaints, and answers from this script from now on. */
  begin: (script: readonly ScriptedAnswer[]) => void;
  close: () => Promise<void>;
}

export async function openFakeModel(): Promise<FakeModel> {
  let answers: ScriptedAnswer[] = [];
  const requests: unknown[] = [];
  const complaints: string[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      requests.push(JSON.parse(body));
      complaints.push(...complaintsAbout(request));
      const answer = answers.shift() ?? { status: 400, text: "no answer is left in the script" };
      return send(answer, response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The address of a server that listens on a port is an object.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    complaints,
    begin(script) {
      answers = [...script];
      requests.length = 0;
      complaints.length = 0;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function complaintsAbout({ method, url, headers }: IncomingMessage): string[] {
  const { authorization, "content-type": type = "" } = headers;
  const wanted: [string, boolean][] = [
    [`${method} ${url}`, method === "POST" && url === "/v1/chat/completions"],
    [`authorization ${authorization}`, authorization === `Bearer ${KEY}`],
    [`content-type ${type}`, type.startsWith("application/json")],
  ];
  return wanted.filter(([, isRight]) => !isRight).map(([what]) => what);
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const text of request.setEncoding("utf8")) body += String(text);
  return body;
}

async function send(answer: ScriptedAnswer, response: ServerResponse): Promise<void> {
  const { status = 200, headers = {}, sse, cut = false, hang = false } = answer;
  if (sse !== undefined) {
    response.writeHead(status, { "content-type": "text/event-stream", ...headers });
    for (const piece of cutUp(encodeEvents(sse, answer), answer)) await write(response, piece);
  } else if (answer.json !== undefined || answer.text !== undefined) {
    const body = Buffer.from(answer.text ?? JSON.stringify(answer.json));
    const length = body.length + (cut ? 10 : 0);
    response.writeHead(status, { "content-type": "application/json", "content-length": length, ...headers });
    await write(response, body);
  }
  if (cut) response.socket?.destroySoon();
  else if (!hang) response.end();
}

function encodeEvents(events: readonly unknown[], { crlf = false }: ScriptedAnswer): Buffer {
  const data = events.map((event) => (typeof event === "string" ? event : JSON.stringify(event)));
  const text = crlf
    ? `: a comment\r\n\r\n${data.map((line) => `event: message\r\ndata:${line}\r\n\r\n`).join("")}`
    : data.map((line) => `data: ${line}\n\n`).join("");
  return Buffer.from(text);
}

const cutUp = (bytes: Buffer, { cut_up = false }: ScriptedAnswer): Buffer[] =>
  cut_up ? [...bytes].map((byte) => Buffer.from([byte])) : [bytes];

/** Resolves when the bytes have been sent, so that a cut comes after them. */
function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    response.write(bytes, () => resolve());
  });
}
