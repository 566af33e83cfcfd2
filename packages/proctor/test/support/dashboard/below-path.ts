// A proxy that puts a hub below the path `/some/place`, as operators do.
import { request as ask } from "node:http";
import { serveHttp } from "../http/servers.ts";

/** The address of the hub behind it. */
export async function belowPath(hub: string): Promise<string> {
  const { url } = await serveHttp((incoming, outgoing) => {
    const path = (incoming.url ?? "").replace(/^\/some\/place/, "");
    const { host: _, ...headers } = incoming.headers;
    const forwarded = ask(`${hub}${path}`, { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  return `${url}/some/place`;
}
