import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Artifact } from "../core/artifact.ts";
import { createHarness } from "../../test/support/server/app-harness.ts";

const BYTES = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));
const HASH = createHash("sha256").update(BYTES).digest("hex");

async function withArtifact(change: Partial<Artifact> = {}, bytes: Uint8Array = BYTES) {
  const harness = createHarness();
  const { id } = await harness.hub.begin();
  const artifact = {
    id: "6f1c0a52-0000-7000-8000-000000000001",
    type: "file",
    path: "out/report.bin",
    content_type: "application/x-report",
    size_bytes: bytes.byteLength,
    content_hash: `sha256:${HASH}`,
    ...change,
  } as Artifact;
  harness.hub.addArtifact(id, artifact, bytes);
  const base = `/runs/${id}/artifacts/${artifact.id}`;
  async function content(method = "GET", headers: Record<string, string> = {}) {
    const response = await harness.app.fetch(
      new Request(`http://localhost${base}/content`, { method, headers }),
    );
    return {
      status: response.status,
      headers: response.headers,
      bytes: Buffer.from(await response.arrayBuffer()),
    };
  }
  return { ...harness, id, artifact, base, content };
}

describe("artifacts over HTTP", () => {
  it("are listed in pages and read one by one", async () => {
    const { send, id, artifact, base, hub } = await withArtifact();
    hub.append(id, { type: "artifact.added", payload: { artifact: { ...artifact, id: "second" } } });
    const first = await send("GET", `/runs/${id}/artifacts?limit=1`);
    expect(first.body).toEqual({ items: [artifact], next_cursor: "1" });
    const second = await send("GET", `/runs/${id}/artifacts?cursor=1`);
    expect(second.body).toMatchObject({ items: [{ id: "second" }], next_cursor: null });
    for (const cursor of ["3", "x", "-1"]) {
      expect((await send("GET", `/runs/${id}/artifacts?cursor=${cursor}`)).body.code).toBe("INVALID_CURSOR");
    }
    expect((await send("GET", base)).body).toEqual(artifact);
    expect((await send("GET", `/runs/${id}/artifacts/none`)).body.code).toBe("ARTIFACT_NOT_FOUND");
    expect((await send("GET", `/runs/${id}/artifacts/none/content`)).body.code).toBe("ARTIFACT_NOT_FOUND");
  });

  it("are downloaded whole, and never opened by a browser", async () => {
    const { content } = await withArtifact({ content_type: "text/html" });
    const { status, headers, bytes } = await content();
    expect(status).toBe(200);
    expect(bytes.equals(BYTES)).toBe(true);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "text/html",
      "content-length": "200000",
      "content-disposition": "attachment; filename=\"report.bin\"; filename*=UTF-8''report.bin",
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
      "accept-ranges": "bytes",
      etag: `"${HASH}"`,
    });
  });

  it.each(["text/html\r\nx-evil: 1", "not a type", "", "text/html, text/plain"])(
    "have a plain type when the agent's is %j",
    async (type) => {
      const { content } = await withArtifact({ content_type: type });
      expect((await content()).headers.get("content-type")).toBe("application/octet-stream");
    },
  );

  it("answer HEAD without reading the bytes", async () => {
    const { content, hub } = await withArtifact();
    const { status, headers, bytes } = await content("HEAD");
    expect([status, bytes.byteLength, headers.get("content-length")]).toEqual([200, 0, "200000"]);
    expect(hub.calls.some(({ name }) => name === "readArtifact")).toBe(false);
  });

  it("answer 304 when the client's copy is current", async () => {
    const { content, hub } = await withArtifact();
    for (const tag of [`"${HASH}"`, `W/"${HASH}"`, `"other", "${HASH}"`, "*"]) {
      const { status, headers, bytes } = await content("GET", { "if-none-match": tag });
      expect([status, bytes.byteLength, headers.get("etag")]).toEqual([304, 0, `"${HASH}"`]);
    }
    expect((await content("GET", { "if-none-match": '"other"' })).status).toBe(200);
    expect(hub.calls.filter(({ name }) => name === "readArtifact")).toHaveLength(1);
  });

  it("answer a range with 206, and one outside with 416", async () => {
    const { content } = await withArtifact();
    const part = await content("GET", { range: "bytes=1000-1999" });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe("bytes 1000-1999/200000");
    expect(part.headers.get("content-length")).toBe("1000");
    expect(part.bytes.equals(BYTES.subarray(1000, 2000))).toBe(true);
    const tail = await content("GET", { range: "bytes=-5" });
    expect(tail.bytes.equals(BYTES.subarray(-5))).toBe(true);
    const outside = await content("GET", { range: "bytes=200000-" });
    expect(outside.status).toBe(416);
    expect(outside.headers.get("content-range")).toBe("bytes */200000");
    expect(JSON.parse(outside.bytes.toString())).toMatchObject({ code: "RANGE_NOT_SATISFIABLE" });
  });

  it("ignore a range whose If-Range is of another version, and several ranges", async () => {
    const { content } = await withArtifact();
    const range = "bytes=0-9";
    expect((await content("GET", { range, "if-range": `"${HASH}"` })).status).toBe(206);
    expect((await content("GET", { range, "if-range": '"old"' })).status).toBe(200);
    expect((await content("GET", { range, "if-range": `W/"${HASH}"` })).status).toBe(200);
    expect((await content("GET", { range: "bytes=0-1,5-6" })).status).toBe(200);
  });

  it("are 404 when the agent only named them", async () => {
    const { content } = await withArtifact({
      type: "reference",
      path: "s3://bucket/key",
    });
    expect((await content()).status).toBe(404);
    expect((await content("HEAD")).status).toBe(404);
    const described = await withArtifact();
    delete described.artifact.content_hash;
    expect((await described.content()).status).toBe(404);
  });

  it("are downloaded as JSON when they are structured data", async () => {
    const bytes = Buffer.from('{"a":1}');
    const { content } = await withArtifact(
      { type: "structured", name: "result", content_type: undefined } as unknown as Partial<Artifact>,
      bytes,
    );
    const { headers } = await content();
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("content-disposition")).toContain('filename="result.json"');
  });
});
