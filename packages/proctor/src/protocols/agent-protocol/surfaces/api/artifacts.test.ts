import { readdir, readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openApiServer, type ApiServer } from "../../../../../test/support/agent-protocol/api-server.ts";

const LIMIT = 300_000;
let api: ApiServer;
let task: string;
let step: string;
let artifacts: string;

beforeAll(async () => {
  api = await openApiServer({ maxFileBytes: LIMIT });
  task = await api.newTask();
  step = await api.newStep(task);
  artifacts = `/api/tasks/${task}/steps/${step}/artifacts`;
});
afterAll(() => api.close());

/** Every file below the artifacts directory. */
async function onDisk(): Promise<string[]> {
  const entries = await readdir(api.artifactsDir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

describe("an upload to /api", () => {
  it("is answered with 201 and stored under the document's name", async () => {
    const { status, body, headers } = await api.upload(
      task,
      step,
      "hello",
      "output.txt",
      "output/output.txt",
    );
    expect(status).toBe(201);
    expect(body).toEqual({
      artifact_id: expect.any(String),
      file_name: "output.txt",
      relative_path: "output/output.txt",
      uri: expect.stringMatching(/^file:\/\/\/.*_output\.txt$/),
      mime_type: "text/plain",
      size_bytes: 5,
      created_at: expect.any(String),
      agent_created: false,
    });
    const file = fileURLToPath(body.uri);
    expect(file.startsWith(join(api.artifactsDir, `${task}_${step}_`))).toBe(true);
    expect(/_(\d{13})_output\.txt$/.exec(file)).not.toBeNull();
    expect(await readFile(file, "utf8")).toBe("hello");
    expect(headers.get("location")).toBe(`${artifacts}/${body.artifact_id}`);
    expect((await api.send("GET", `${artifacts}/${body.artifact_id}`)).body).toEqual(body);
    const { body: shown } = await api.send("GET", `/api/tasks/${task}/steps/${step}`);
    const { artifact_id, file_name, relative_path, uri } = body;
    expect(shown.artifacts).toContainEqual({ artifact_id, file_name, relative_path, uri });
    const { body: whole } = await api.send("GET", `/api/tasks/${task}`);
    expect(whole.artifacts).toContainEqual({ artifact_id, file_name, relative_path });
  });

  it("has the exact size as its limit; one byte more leaves nothing", async () => {
    expect((await api.upload(task, step, new Uint8Array(LIMIT))).status).toBe(201);
    const before = await onDisk();
    const over = await api.upload(task, step, new Uint8Array(LIMIT + 1).fill(1));
    expect([over.status, over.body.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    const farOver = await api.upload(task, step, new Uint8Array(LIMIT * 3));
    expect(farOver.status).toBe(413);
    expect(await onDisk()).toEqual(before);
  });

  it("leaves nothing when it is refused", async () => {
    const before = await onDisk();
    const file = new File(["x"], "a.txt");
    const forms: [string, [string, string | File][]][] = [
      ["no file", [["relative_path", "x"]]],
      [
        "two files",
        [
          ["file", file],
          ["file", file],
        ],
      ],
      [
        "upwards",
        [
          ["file", file],
          ["relative_path", "../../x"],
        ],
      ],
      [
        "absolute",
        [
          ["relative_path", "/etc/passwd"],
          ["file", file],
        ],
      ],
      [
        "NUL",
        [
          ["file", file],
          ["relative_path", "a\0b"],
        ],
      ],
      [
        "too long",
        [
          ["file", file],
          ["relative_path", "x".repeat(2000)],
        ],
      ],
      ["name too long", [["file", new File(["x"], "n".repeat(256))]]],
    ];
    for (const [what, fields] of forms) {
      const body = new FormData();
      for (const [name, value] of fields) body.append(name, value);
      expect([what, (await api.send("POST", artifacts, { body })).status]).toEqual([what, 400]);
    }
    expect((await api.send("POST", artifacts, { json: {} })).status).toBe(415);
    expect(await onDisk()).toEqual(before);
  });

  it("leaves nothing when it is cut in the middle", async () => {
    const before = await onDisk();
    const logged = (await api.test.log(task)).length;
    const socket = connect(api.server.port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(
      `POST ${artifacts} HTTP/1.1\r\nhost: localhost\r\ncontent-type: multipart/form-data; boundary=B\r\ncontent-length: 200000\r\n\r\n` +
        `--B\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${"x".repeat(150_000)}`,
    );
    // A part of it is on disk before the connection breaks.
    await expect.poll(async () => (await onDisk()).length, { interval: 5 }).toBeGreaterThan(before.length);
    socket.destroy();
    await expect.poll(onDisk, { interval: 5 }).toEqual(before);
    expect(await api.test.log(task)).toHaveLength(logged);
  });

  it("of the same name, many at once, keeps each", async () => {
    const own = await api.newStep(task);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => api.upload(task, own, `content ${index}`, "same.txt")),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect(new Set(answers.map(({ body }) => body.uri)).size).toBe(10);
    for (const [index, { body }] of answers.entries())
      expect(await readFile(fileURLToPath(body.uri), "utf8")).toBe(`content ${index}`);
  });

  it("is taken after the task's end, with an event", async () => {
    const ended = await api.newTask();
    const last = await api.newStep(ended);
    await api.send("PATCH", `/api/tasks/${ended}/steps/${last}`, {
      json: { status: "completed", is_last: true },
    });
    const { status, body } = await api.upload(ended, last, "late");
    expect(status).toBe(201);
    const events = await api.events(ended);
    expect(events.at(-1)).toMatchObject({
      type: "artifact.created",
      step_id: last,
      artifact_id: body.artifact_id,
    });
  });

  it("to a step of another task is 404", async () => {
    const other = await api.newTask();
    const { status, body } = await api.upload(other, step, "x");
    expect([status, body.code]).toEqual([404, "STEP_NOT_FOUND"]);
  });
});

describe("a list of artifacts on /api", () => {
  it("has those of its step, page by page", async () => {
    const own = await api.newStep(task);
    const ids: string[] = [];
    for (const name of ["a", "b", "c"]) ids.push((await api.upload(task, own, name, name)).body.artifact_id);
    const { body } = await api.send("GET", `/api/tasks/${task}/steps/${own}/artifacts?page=1&pageSize=2`);
    expect(body.artifacts.map((artifact: { artifact_id: string }) => artifact.artifact_id)).toEqual(
      ids.slice(0, 2),
    );
    expect(body.pagination).toEqual({ total: 3, page: 1, pageSize: 2, totalPages: 2 });
  });
});

describe("a download from /api", () => {
  it("has the headers of the document, and no browser opens it", async () => {
    const { body } = await api.upload(task, step, "<script>", "page.html");
    const {
      status,
      headers,
      body: text,
    } = await api.send("GET", `${artifacts}/${body.artifact_id}/download`);
    expect([status, text]).toEqual([200, "<script>"]);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "text/plain",
      "content-disposition": `attachment; filename="page.html"; filename*=UTF-8''page.html`,
      "content-length": "8",
      "x-content-type-options": "nosniff",
      "accept-ranges": "bytes",
    });
  });

  it.each([
    ['he said "hi".txt', "he said _hi_.txt", "he%20said%20%22hi%22.txt"],
    ["报告 ü.pdf", "__ _.pdf", "%E6%8A%A5%E5%91%8A%20%C3%BC.pdf"],
    ["it's (1)*.txt", "it's (1)*.txt", "it%27s%20%281%29%2A.txt"],
    ["100%.txt", "100_.txt", "100%25.txt"],
  ])("of %j has a name that every client can read", async (name, ascii, exact) => {
    const { body } = await api.upload(task, step, "x", name);
    expect(body.file_name).toBe(name);
    const { headers } = await api.send("GET", `${artifacts}/${body.artifact_id}/download`);
    expect(headers.get("content-disposition")).toBe(
      `attachment; filename="${ascii}"; filename*=UTF-8''${exact}`,
    );
  });

  it("has ranges, conditions and HEAD", async () => {
    const { body } = await api.upload(task, step, "0123456789");
    const path = `${artifacts}/${body.artifact_id}/download`;
    const get = async (headers: Record<string, string>, method = "GET") => {
      const answer = await api.send(method, path, { headers });
      return [answer.status, answer.status === 416 ? "" : answer.body, answer.headers.get("content-range")];
    };
    const { headers } = await api.send("HEAD", path);
    const etag = headers.get("etag") ?? "";
    expect(headers.get("content-length")).toBe("10");
    expect(await get({ range: "bytes=2-4" })).toEqual([206, "234", "bytes 2-4/10"]);
    expect(await get({ range: "bytes=7-" })).toEqual([206, "789", "bytes 7-9/10"]);
    expect(await get({ range: "bytes=-3" })).toEqual([206, "789", "bytes 7-9/10"]);
    expect(await get({ range: "bytes=5-99" })).toEqual([206, "56789", "bytes 5-9/10"]);
    expect(await get({ range: "bytes=10-" })).toEqual([416, "", "bytes */10"]);
    expect(await get({ range: "bytes=4-2" })).toEqual([200, "0123456789", null]);
    expect(await get({ range: "lines=1-2" })).toEqual([200, "0123456789", null]);
    expect(await get({ range: "bytes=0-1", "if-range": etag })).toEqual([206, "01", "bytes 0-1/10"]);
    expect(await get({ range: "bytes=0-1", "if-range": '"other"' })).toEqual([200, "0123456789", null]);
    expect(await get({ "if-none-match": `W/${etag}` })).toEqual([304, "", null]);
    expect(await get({ range: "bytes=0-1" }, "HEAD")).toEqual([206, "", "bytes 0-1/10"]);
  });

  it("of an empty file is empty", async () => {
    const { body } = await api.upload(task, step, "", "empty");
    const {
      status,
      headers,
      body: text,
    } = await api.send("GET", `${artifacts}/${body.artifact_id}/download`);
    expect([status, headers.get("content-length"), text]).toEqual([200, "0", ""]);
  });
});

describe("an artifact on /api", () => {
  it("is gone after it was deleted, its file as well", async () => {
    const { body } = await api.upload(task, step, "to be deleted");
    const path = `${artifacts}/${body.artifact_id}`;
    const deleted = await api.send("DELETE", path);
    expect([deleted.status, deleted.body]).toEqual([204, ""]);
    await expect(readFile(fileURLToPath(body.uri))).rejects.toThrow("ENOENT");
    for (const [method, at] of [
      ["DELETE", ""],
      ["GET", ""],
      ["GET", "/download"],
    ] as const)
      expect((await api.send(method, path + at)).status).toBe(404);
  });

  it("of another step, or another task, is 404", async () => {
    const { body } = await api.upload(task, step, "mine");
    const [sibling, other] = [await api.newStep(task), await api.newTask()];
    const elsewhere = [
      `/api/tasks/${task}/steps/${sibling}/artifacts/${body.artifact_id}`,
      `/api/tasks/${other}/steps/${await api.newStep(other)}/artifacts/${body.artifact_id}`,
    ];
    for (const path of elsewhere) {
      expect((await api.send("GET", path)).status).toBe(404);
      expect((await api.send("GET", `${path}/download`)).status).toBe(404);
      expect((await api.send("DELETE", path)).status).toBe(404);
    }
    expect((await api.send("GET", `${artifacts}/${body.artifact_id}`)).status).toBe(200);
  });
});

it("/api shows no paths of this machine unless exposeUri is on", async () => {
  const discreet = await openApiServer({ exposeUri: false });
  try {
    const { body } = await discreet.send("POST", "/api/tasks", { json: { task: "x", workspace: "w" } });
    const id: string = body.agent.id;
    const own = await discreet.newStep(id);
    const { body: artifact } = await discreet.upload(id, own, "x");
    expect(artifact.uri).toBeNull();
    const whole = await discreet.send("GET", `/api/tasks/${id}`);
    const events = await discreet.send("GET", `/api/tasks/${id}/steps`);
    expect(JSON.stringify([whole.body, events.body])).not.toContain(discreet.test.folder);
    expect(whole.body.task.workspaces).toEqual([{ name: "w" }]);
  } finally {
    await discreet.close();
  }
});
