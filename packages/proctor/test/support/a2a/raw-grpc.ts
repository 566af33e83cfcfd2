// gRPC byte by byte over HTTP/2: a client that may send anything, and a server that may answer anything.
import { once } from "node:events";
import {
  connect,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo } from "node:net";

/** One message in gRPC's envelope; `sizeBytes` is what the envelope claims. */
export function enveloped(message: Uint8Array, sizeBytes: number = message.byteLength): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(sizeBytes, 1);
  return Buffer.concat([head, message]);
}

/** The trailers of the answer, or its headers where it has only these. */
export async function rawCall(url: string, path: string, body: Uint8Array): Promise<IncomingHttpHeaders> {
  const session = connect(url.replace("grpc:", "http:"));
  try {
    const stream = session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
    });
    const answered = once(stream, "response") as Promise<[IncomingHttpHeaders]>;
    let trailers: IncomingHttpHeaders | undefined;
    stream.on("trailers", (headers) => (trailers = headers));
    stream.on("error", () => undefined);
    stream.end(body);
    const [headers] = await answered;
    stream.resume();
    if (!stream.closed) await once(stream, "close");
    return trailers ?? headers;
  } finally {
    session.destroy();
  }
}

export async function rawServer(
  answer: (stream: ServerHttp2Stream) => void,
): Promise<{ url: string; close: () => void }> {
  const server = createServer();
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => sessions.add(session));
  server.on("stream", (stream) => {
    stream.on("error", () => undefined);
    answer(stream);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `grpc://127.0.0.1:${port}`,
    close() {
      for (const session of sessions) session.destroy();
      server.close();
    },
  };
}

/** Answers with these bytes and status OK. */
export function answerWith(body: Uint8Array, trailers: Record<string, string> = { "grpc-status": "0" }) {
  return (stream: ServerHttp2Stream): void => {
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers(trailers));
    stream.end(body);
  };
}
