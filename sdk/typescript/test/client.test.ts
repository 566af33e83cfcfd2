// The client of a hub's task API: what it sends, and how it reads the answers.
import { describe, expect, it } from "vitest";
import { createHubClient, HubError } from "../src/client.ts";
import { json, openHubDouble } from "./hub-double.ts";

describe("requests of the hub client", () => {
  it("go to the hub's paths with its token, and ids are escaped", async () => {
    const { url, asked } = await openHubDouble((_, response) => json(response, { agent: { id: "t" } }));
    const hub = createHubClient({ url: `${url}/hub/`, token: "secret" });
    await hub.tasks.create({ task: "x", agent: null }, { idempotencyKey: "k" });
    await hub.tasks.get("a/../b");
    await hub.tasks.cancel("t");
    await hub.steps.change("t", "s", { status: "completed", is_last: true });
    await hub.artifacts.delete("t", "s", "ä");
    expect(asked.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["POST", "/hub/api/tasks", '{"task":"x","agent":null}'],
      ["GET", "/hub/api/tasks/a%2F..%2Fb", ""],
      ["POST", "/hub/api/tasks/t/cancel", ""],
      ["PATCH", "/hub/api/tasks/t/steps/s", '{"status":"completed","is_last":true}'],
      ["DELETE", "/hub/api/tasks/t/steps/s/artifacts/%C3%A4", ""],
    ]);
    expect(asked[0]?.headers).toMatchObject({
      authorization: "Bearer secret",
      "idempotency-key": "k",
      "content-type": "application/json",
    });
    expect(asked[1]?.headers["content-type"]).toBeUndefined();
  });

  it.each(["", ".", ".."])("are not sent for the id %j", async (id) => {
    const { url, asked } = await openHubDouble((_, response) => json(response, {}));
    expect(() => createHubClient({ url }).tasks.get(id)).toThrow(TypeError);
    expect(asked).toEqual([]);
  });

  it.each(["ftp://hub", "http://user:pw@hub", "http://hub?x=1", "hub"])("refuse the address %s", (url) => {
    expect(() => createHubClient({ url })).toThrow(TypeError);
  });

  it("do not follow redirects, which could carry the token elsewhere", async () => {
    const { url, asked } = await openHubDouble((_, response) =>
      response.writeHead(307, { location: "/api/elsewhere" }).end(),
    );
    await expect(createHubClient({ url, token: "secret" }).tasks.get("t")).rejects.toThrow();
    expect(asked).toHaveLength(1);
  });

  it("end with the signal's reason", async () => {
    const leave = new AbortController();
    const { url } = await openHubDouble(() => leave.abort(new Error("enough")));
    await expect(createHubClient({ url }).tasks.get("t", { signal: leave.signal })).rejects.toThrow("enough");
  });
});

describe("refusals that the hub client gets", () => {
  it("are errors with the hub's code, message, details and trace", async () => {
    const { url } = await openHubDouble((_, response) => {
      response.setHeader("x-trace-id", "abc");
      json(
        response,
        { error: "Conflict", code: "ILLEGAL_TRANSITION", message: "it is over", details: { a: 1 } },
        409,
      );
    });
    const error = await createHubClient({ url })
      .tasks.pause("t")
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HubError);
    expect(error).toMatchObject({
      status: 409,
      code: "ILLEGAL_TRANSITION",
      message: "it is over",
      details: { a: 1 },
      traceId: "abc",
    });
  });

  it.each([
    ["a proxy's page", 502, "<html>bad gateway</html>"],
    ["nothing", 500, ""],
    ["JSON of another form", 404, "[1]"],
    ["a very long text", 404, "x".repeat(1_000_000)],
  ])("from %s are errors too", async (_what, status, text) => {
    const { url } = await openHubDouble((_, response) => response.writeHead(status).end(text));
    const error = await createHubClient({ url })
      .tasks.get("t")
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status, code: "BAD_ANSWER" });
    expect((error as Error).message.length).toBeLessThan(600);
  });

  it.each([
    ["no JSON", "<html>"],
    ["no object", "[]"],
    ["cut off", '{"a":'],
    ["nested too deeply", "[".repeat(100_000)],
  ])("include an answer that is %s", async (_what, text) => {
    const { url } = await openHubDouble((_, response) => response.end(text));
    await expect(createHubClient({ url }).tasks.get("t")).rejects.toMatchObject({ code: "BAD_ANSWER" });
    await expect(createHubClient({ url }).tasks.page()).rejects.toMatchObject({ code: "BAD_ANSWER" });
  });
});

describe("lists of the hub client", () => {
  it("are read page after page, and only as far as they are asked for", async () => {
    const ids = Array.from({ length: 25 }, (_, index) => `t${index}`);
    const { url, asked } = await openHubDouble(({ path }, response) => {
      const query = new URL(path, "http://hub").searchParams;
      const page = Number(query.get("page"));
      // Two tasks are created before the second page is read: everything moves on.
      if (page === 2) ids.unshift("new1", "new2");
      const tasks = ids.slice((page - 1) * 10, page * 10).map((task_id) => ({ task_id }));
      json(response, {
        tasks,
        pagination: { total: ids.length, page, pageSize: 10, totalPages: Math.ceil(ids.length / 10) },
      });
    });
    const hub = createHubClient({ url });
    const seen: string[] = [];
    for await (const { task_id } of hub.tasks.list({ pageSize: 10 })) seen.push(task_id);
    expect(seen).toEqual(ids.slice(2));
    expect(asked.map(({ path }) => path)).toEqual(
      [1, 2, 3].map((page) => `/api/tasks?page=${page}&pageSize=10`),
    );
    for await (const _ of hub.tasks.list()) break;
    expect(asked).toHaveLength(4);
  });

  it("end when a page is empty, whatever the totals say", async () => {
    const pagination = { total: 1e9, page: 1, pageSize: 100, totalPages: 1e7 };
    const { url } = await openHubDouble((_, response) => json(response, { steps: [], pagination }));
    const steps = [];
    for await (const step of createHubClient({ url }).steps.list("t")) steps.push(step);
    expect(steps).toEqual([]);
  });
});

describe("artifacts of the hub client", () => {
  const artifact = { artifact_id: "a" };

  it.each([
    ["a text", "content"],
    ["bytes", new TextEncoder().encode("content")],
    ["a Blob", new Blob(["content"], { type: "text/csv" })],
    ["a File", new File(["content"], "other.txt", { type: "text/csv" })],
    ["a stream", new Blob(["con", "tent"]).stream()],
  ])("are uploaded from %s", async (_what, content) => {
    const { url, asked } = await openHubDouble((_, response) => json(response, artifact, 201));
    const upload = { name: 'a "b"\n.txt', relativePath: "x/y.txt", content, contentType: "text/csv" };
    expect(await createHubClient({ url }).artifacts.upload("t", "s", upload)).toEqual(artifact);
    const form = await new Response(Buffer.from(asked[0]?.body ?? "", "latin1"), {
      headers: { "content-type": asked[0]?.headers["content-type"] ?? "" },
    }).formData();
    expect(form.get("relative_path")).toBe("x/y.txt");
    const file = form.get("file") as File;
    expect([await file.text(), file.type]).toEqual(["content", "text/csv"]);
    expect(asked[0]?.body).toContain('filename="a %22b%22%0A.txt"');
  });

  it("are sent as they are read, and no more of them than the hub takes", async () => {
    let pulled = 0;
    let close = (): void => undefined;
    const closed = new Promise<void>((resolve) => (close = resolve));
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          pulled += 1;
          yield new Uint8Array(64 * 1024);
          await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        close();
      }
    }
    const refusing = await openRefusing();
    const upload = { name: "x", content: endless() };
    await expect(createHubClient({ url: refusing.url }).artifacts.upload("t", "s", upload)).rejects.toThrow();
    await refusing.close();
    await closed;
    expect(pulled).toBeGreaterThan(16);
    expect(pulled).toBeLessThan(10_000);
  });

  it("report why reading them failed", async () => {
    const { url } = await openHubDouble((_, response) => json(response, artifact, 201));
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(10);
      throw new Error("the disk is gone");
    }
    const upload = { name: "x", content: broken() };
    await expect(createHubClient({ url }).artifacts.upload("t", "s", upload)).rejects.toThrow(
      "the disk is gone",
    );
  });

  it("need a name", async () => {
    const upload = { content: "x" };
    await expect(
      createHubClient({ url: "http://127.0.0.1:9" }).artifacts.upload("t", "s", upload),
    ).rejects.toThrow(TypeError);
  });

  it("are downloaded with their exact names, and fail when they are cut off", async () => {
    let length = 5;
    const { url } = await openHubDouble((_, response) => {
      response.writeHead(200, {
        "content-type": "text/plain",
        "content-length": length,
        "content-disposition": "attachment; filename=\"_.txt\"; filename*=UTF-8''%C3%A4.txt",
      });
      response.write("hello");
      if (length === 5) response.end();
      else response.socket?.end();
    });
    const { artifacts } = createHubClient({ url });
    const download = await artifacts.download("t", "s", "a");
    expect(download).toMatchObject({ fileName: "ä.txt", contentType: "text/plain", sizeBytes: 5 });
    expect(await download.text()).toBe("hello");
    length = 6;
    await expect((await artifacts.download("t", "s", "a")).bytes()).rejects.toThrow();
  });
});

/** Opens a hub that closes the connection after a megabyte of an upload. */
async function openRefusing(): Promise<{ url: string; close: () => Promise<void> }> {
  const { createServer } = await import("node:net");
  const server = createServer((socket) => {
    let size = 0;
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      size += chunk.length;
      if (size > 1024 * 1024) socket.destroy();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
