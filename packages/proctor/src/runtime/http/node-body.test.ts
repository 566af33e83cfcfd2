import { Buffer } from "node:buffer";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { listen } from "./listen.ts";
import { nodeBody } from "./node-body.ts";

it("the body of a form that our server gets is Node's own stream, whose pieces nobody copies", async () => {
  const bodies: (Readable | null)[] = [];
  const server = await listen({
    app: {
      async fetch(request) {
        const body = nodeBody(request);
        bodies.push(body);
        return new Response(body === null ? "none" : await buffer(body));
      },
    },
    host: "127.0.0.1",
    port: 0,
  });
  try {
    const sent = Buffer.alloc(300_000, "x");
    for (const type of ["multipart/form-data; boundary=x", "application/octet-stream"]) {
      const headers = { "content-type": type };
      const answer = await fetch(server.url, { method: "POST", headers, body: sent });
      expect(Buffer.from(await answer.arrayBuffer()).equals(sent)).toBe(true);
    }
    expect(bodies[0]).toHaveProperty("httpVersion", "1.1");
    expect(bodies[1]).not.toHaveProperty("httpVersion");
    expect(await (await fetch(server.url)).text()).toBe("none");
  } finally {
    await server.close(0);
  }
});

it("the body of any other request is read from its web stream", async () => {
  const request = new Request("http://localhost/", { method: "POST", body: "hello" });
  const body = nodeBody(request);
  expect(body === null ? undefined : (await buffer(body)).toString()).toBe("hello");
  expect(nodeBody(new Request("http://localhost/"))).toBeNull();
});
