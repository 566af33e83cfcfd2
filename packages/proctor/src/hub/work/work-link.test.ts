import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { eventually } from "../../../test/support/eventually.ts";
import { serveHttp } from "../../../test/support/http/servers.ts";
import { FACTS, linkTo } from "../../../test/support/work-hub.ts";

it("A worker that leaves its hub says so after the beat that is on its way", async () => {
  const beats: ServerResponse[] = [];
  const { url } = await serveHttp((request, response) => {
    if (request.url === "/work/beat") beats.push(response);
    else response.writeHead(204).end();
  });
  const sent: string[] = [];
  const link = linkTo(url, "one", {
    wrap: (client) => ({
      ...client,
      send: (path, request) => {
        sent.push(path);
        return client.send(path, request);
      },
    }),
  });
  const beating = link.beat([], FACTS);
  await eventually(() => expect(beats).toHaveLength(1));
  const leaving = link.leave();
  // Another request has come and gone meanwhile.
  await fetch(`${url}/another`);
  expect(sent).toEqual([]);
  beats[0]
    ?.writeHead(200, { "content-type": "application/json" })
    .end(JSON.stringify({ worker: "one", drain: false, lost: [], news: [], lease_ms: 1000 }));
  expect(await beating).toMatchObject({ worker: "one" });
  await leaving;
  expect(sent).toEqual(["/work/leave"]);
});

it("A worker that has left its hub beats no more, and says that it leaves until the hub has heard it", async () => {
  const seen: string[] = [];
  const { url } = await serveHttp((request, response) => {
    seen.push(request.url ?? "");
    if (request.url === "/work/beat")
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ worker: "one", drain: false, lost: [], news: [], lease_ms: 1000 }));
    else if (seen.filter((path) => path === "/work/leave").length === 1) request.socket.destroy();
    else response.writeHead(204).end();
  });
  const link = linkTo(url, "one");
  await link.beat([], FACTS);
  await link.leave();
  expect(await link.beat([])).toMatchObject({ worker: "one" });
  expect(seen).toEqual(["/work/beat", "/work/leave", "/work/leave"]);
});
