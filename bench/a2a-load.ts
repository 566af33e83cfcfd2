// What a client of A2A 1.0 sends over JSON-RPC, for the benchmarks of A2A: messages that are answered once, and streams that are read to
// their end without being parsed.
import { type Agent, request } from "node:http";

/** Returns the body of a request with a message that begins a new task. */
export function messageBody(
  method: "SendMessage" | "SendStreamingMessage",
  messageId: string,
  { text, configuration }: { text: string; configuration?: object },
): string {
  const message = { messageId, role: "ROLE_USER", parts: [{ text }] };
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { message, configuration } });
}

const HEADERS = { "content-type": "application/json", "a2a-version": "1.0" } as const;

/** Returns the whole request as text, for clients that write it to a socket themselves. */
export function rawRequest(path: string, body: string): string {
  const headers = { host: "127.0.0.1", ...HEADERS, "content-length": Buffer.byteLength(body) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

export interface Target {
  port: number;
  path: string;
}

/** Sends a message and resolves with the body of the answer, which has to be a result. */
export function ask({ port, path }: Target, body: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { ...HEADERS, "content-length": Buffer.byteLength(body) };
    request({ host: "127.0.0.1", port, path, method: "POST", agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () =>
        response.statusCode === 200 && text.includes('"result"')
          ? resolve(text)
          : reject(new Error(`${response.statusCode}: ${text}`)),
      );
    })
      .on("error", reject)
      .end(body);
  });
}

const LF = 10;

/** Resolves with the number of frames when the stream has ended. `onFrame` is called with the number so far when more have arrived. */
export function readStream(
  { port, path }: Target,
  body: string,
  onFrame?: (frames: number) => void,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { ...HEADERS, accept: "text/event-stream", "content-length": Buffer.byteLength(body) };
    request({ host: "127.0.0.1", port, path, method: "POST", agent: false, headers }, (response) => {
      let frames = 0;
      let afterBreak = false;
      response.on("data", (chunk: Buffer) => {
        if (afterBreak && chunk[0] === LF) frames++;
        for (let at = chunk.indexOf("\n\n"); at >= 0; at = chunk.indexOf("\n\n", at + 2)) frames++;
        afterBreak = chunk.at(-1) === LF && chunk.at(-2) !== LF;
        onFrame?.(frames);
      });
      response.on("end", () => resolve(frames)).on("error", reject);
    })
      .on("error", reject)
      .end(body);
  });
}
