import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deferred } from "../../../../../test/support/http/servers.ts";
import { ProctorError } from "../../../../core/errors.ts";
import type { NewFile } from "../../../../core/ports/hub.ts";
import { listen, type Listening } from "../../../../runtime/http/listen.ts";
import { refuse } from "../../errors.ts";
import { readUpload } from "./read-upload.ts";

const MAX = 100_000;

interface Kept {
  name: string;
  path: string;
  type: string;
  size: number;
  text: string;
}

let server: Listening;
/** Files that were stored, and how often storing one was given up. */
let kept: Kept[];
let givenUp: unknown[];
let refusedEarly: ProctorError | undefined;
let settled = deferred();

async function store(file: NewFile): Promise<Kept> {
  if (refusedEarly) throw refusedEarly;
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of file.content) chunks.push(Buffer.from(chunk));
  } catch (error) {
    givenUp.push(error);
    throw error;
  }
  const bytes = Buffer.concat(chunks);
  const { fileName: name, relativePath: path, contentType: type } = file;
  const stored = { name, path, type, size: bytes.byteLength, text: bytes.toString().slice(0, 100) };
  kept.push(stored);
  return stored;
}

beforeEach(async () => {
  kept = [];
  givenUp = [];
  refusedEarly = undefined;
  settled = deferred();
  const fetch = async (request: Request): Promise<Response> => {
    try {
      const stored = await readUpload(request, { maxFileBytes: MAX, store, describe: () => ({}) });
      return Response.json(stored, { status: 201 });
    } catch (error) {
      return refuse(error);
    } finally {
      settled.resolve();
    }
  };
  server = await listen({ app: { fetch }, host: "127.0.0.1", port: 0 });
});

afterEach(() => server.close(0));

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

async function send(body: string | FormData, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(server.url, { method: "POST", body, headers });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const file = (content: string | Uint8Array<ArrayBuffer> = "hello", name = "a.txt"): File =>
  new File([content], name, { type: "text/plain" });

function form(...fields: [string, string | File][]): FormData {
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value);
  return data;
}

/** A form as bytes, exactly as the test writes it. */
const raw = (text: string): Promise<Answer> =>
  send(text.replaceAll("\n", "\r\n"), { "content-type": "multipart/form-data; boundary=B" });

describe("a multipart upload", () => {
  it("is stored with its name, place and type", async () => {
    const answer = await send(form(["file", file()], ["relative_path", "out/a.txt"]));
    expect(answer).toEqual({
      status: 201,
      body: { name: "a.txt", path: "out/a.txt", type: "text/plain", size: 5, text: "hello" },
    });
  });

  it("takes the path before the file as well as after it", async () => {
    await send(form(["relative_path", "x/a.txt"], ["file", file()]));
    await send(form(["file", file()], ["relative_path", "y"]));
    expect(kept.map(({ path }) => path)).toEqual(["x/a.txt", "y/a.txt"]);
  });

  it("may be empty, and ignores fields that mean nothing here", async () => {
    const answer = await send(form(["note", "x"], ["file", file("")], ["other", "y"]));
    expect(answer.status).toBe(201);
    expect(kept[0]).toMatchObject({ size: 0, path: "a.txt" });
  });

  it.each(['he said "hi".txt', "报告 ü.pdf", "a%b;c=d.txt", "emoji 🙂.bin", "it's.txt"])(
    "keeps the name %j",
    async (name) => {
      expect((await send(form(["file", file("x", name)]))).status).toBe(201);
      expect(kept[0]?.name).toBe(name);
    },
  );

  it("takes only the last part of a name that is a path", async () => {
    await raw('--B\nContent-Disposition: form-data; name="file"; filename="../../etc/passwd"\n\nx\n--B--\n');
    await raw('--B\nContent-Disposition: form-data; name="file"; filename="C:\\dir\\a.txt"\n\nx\n--B--\n');
    expect(kept.map(({ name }) => name)).toEqual(["passwd", "a.txt"]);
  });

  it("is taken at the limit and refused one byte above it", async () => {
    expect((await send(form(["file", file(new Uint8Array(MAX))]))).status).toBe(201);
    const { status, body } = await send(form(["file", file(new Uint8Array(MAX + 1))]));
    expect(status).toBe(413);
    expect(body).toMatchObject({
      error: "Payload Too Large",
      message: `the file is larger than ${MAX} bytes`,
    });
    expect(kept).toHaveLength(1);
    expect(givenUp).toHaveLength(1);
  });

  it("is refused before it is read when its declared size is above the limit", async () => {
    const { status } = await send(form(["file", file(new Uint8Array(MAX + 200_000))]));
    expect(status).toBe(413);
    expect(kept.length + givenUp.length).toBe(0);
  });

  it("is cut off at the limit when it declares no size", async () => {
    let sent = 0;
    const head = '--B\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(Buffer.from(sent === 0 ? head : "x".repeat(10_000)));
        sent += 10_000;
        if (sent > 1_000_000) controller.close();
      },
    });
    const response = await fetch(server.url, {
      method: "POST",
      body,
      headers: { "content-type": "multipart/form-data; boundary=B" },
      // undici wants it said.
      ...({ duplex: "half" } as object),
    });
    expect(response.status).toBe(413);
    expect(kept).toEqual([]);
  });
});

describe("a multipart upload is refused and nothing is kept:", () => {
  const text = (name: string, value: string): string =>
    `--B\nContent-Disposition: form-data; name="${name}"\n\n${value}\n`;
  const part = (name: string, fileName = "a.txt"): string =>
    `--B\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"\nContent-Type: text/plain\n\nhello\n`;

  it.each<[string, () => Promise<Answer>, number, string]>([
    ["no file", () => send(form(["relative_path", "x"])), 400, "file is missing"],
    ["an empty form", () => raw("--B--\n"), 400, "file is missing"],
    ["no file chosen", () => raw(part("file", "") + "--B--\n"), 400, "file is missing"],
    ["two files", () => send(form(["file", file()], ["file", file()])), 400, "came twice"],
    ["a file in another field", () => send(form(["upload", file()])), 400, 'came in the field "upload"'],
    ["a text as the file", () => send(form(["file", "hello"])), 400, "text field"],
    [
      "two paths",
      () => raw(`${text("relative_path", "x")}${text("relative_path", "y")}${part("file")}--B--\n`),
      400,
      "was sent twice",
    ],
    [
      "a path upwards before the file",
      () => send(form(["relative_path", "../x"], ["file", file()])),
      400,
      "..",
    ],
    [
      "a path upwards after the file",
      () => send(form(["file", file()], ["relative_path", "../x"])),
      400,
      "..",
    ],
    ["an absolute path", () => send(form(["file", file()], ["relative_path", "/x"])), 400, "absolute"],
    ["a path with NUL", () => send(form(["file", file()], ["relative_path", "a\0"])), 400, "control"],
    [
      "an over-long path",
      () => send(form(["file", file()], ["relative_path", "x".repeat(5000)])),
      400,
      "longer",
    ],
    ["an over-long name", () => send(form(["file", file("x", "n".repeat(300))])), 400, "longer"],
    ["a name with NUL", () => raw(part("file", "a\0b") + "--B--\n"), 400, "control"],
    [
      "another media type",
      () => send("{}", { "content-type": "application/json" }),
      415,
      "multipart/form-data",
    ],
    ["no boundary", () => send("x", { "content-type": "multipart/form-data" }), 400, "boundary"],
    ["a form without its end", () => raw(part("file")), 400, "cut off"],
    ["a form that ends in a header", () => raw("--B\nContent-Dispo"), 400, "cut off"],
    ["no form at all", () => raw("hello"), 400, "cut off"],
  ])("%s", async (_name, act, status, message) => {
    const answer = await act();
    expect([answer.status, answer.body["message"]]).toEqual([status, expect.stringContaining(message)]);
    expect(kept).toEqual([]);
  });

  it("what its store refuses, in the store's words", async () => {
    refusedEarly = new ProctorError("ARTIFACT_NOT_FOUND", "no room for this");
    const answer = await send(form(["file", file(new Uint8Array(MAX))]));
    expect(answer).toMatchObject({ status: 404, body: { message: "no room for this" } });
  });

  it.each([10, 200, 5000])("an upload whose connection breaks after %i bytes", async (bytes) => {
    const body = `--B\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${"x".repeat(50_000)}`;
    const socket = connect(server.port, "127.0.0.1");
    const head = `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: multipart/form-data; boundary=B\r\ncontent-length: 60000\r\n\r\n`;
    await new Promise((resolve) => socket.write(head + body.slice(0, bytes), resolve));
    // The server has it when it has answered what came before on another connection.
    await fetch(server.url, { method: "POST" }).then((response) => response.text());
    settled = deferred();
    socket.destroy();
    await settled.promise;
    expect(kept).toEqual([]);
  });

  it("an upload whose client stalls is not waited for when the server stops", async () => {
    const outgoing = httpRequest(server.url, {
      method: "POST",
      headers: { "content-type": "multipart/form-data; boundary=B", "content-length": "60000" },
    });
    const failed = new Promise((resolve) => outgoing.on("error", resolve));
    outgoing.write('--B\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nxyz');
    await fetch(server.url, { method: "POST" }).then((response) => response.text());
    settled = deferred();
    await server.close(0);
    await settled.promise;
    await failed;
    expect(kept).toEqual([]);
  });
});
