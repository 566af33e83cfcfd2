import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHarness, streamed, type Harness } from "../../test/support/server/app-harness.ts";
import { openArtifacts, type OpenedArtifacts } from "../../test/support/stores/artifacts.ts";

const BASE = "/artifacts/writer/ada%40example.com/s1";
let directory: string;
let opened: OpenedArtifacts;
let harness: Harness;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "proctor-saved-"));
  opened = await openArtifacts(directory, { fileBytes: 1000, sessionBytes: 2000, count: 5 });
  harness = createHarness({ artifacts: opened.artifacts });
});

afterEach(async () => {
  await opened.close();
  rmSync(directory, { recursive: true, force: true });
});

const put = (path: string, body: string, type = "text/csv") =>
  harness.send("PUT", `${BASE}${path}`, { body, headers: { "content-type": type } });

async function download(path: string, headers: Record<string, string> = {}) {
  const response = await harness.app.fetch(new Request(`http://127.0.0.1:3001${BASE}${path}`, { headers }));
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe("artifacts beside runs over HTTP", () => {
  it("are saved in versions, listed, read and removed", async () => {
    const metadata = encodeURIComponent(JSON.stringify({ from: "me" }));
    const first = await put(`/report.csv?metadata=${metadata}`, "a,b");
    expect(first).toMatchObject({
      status: 201,
      body: { app: "writer", user: "ada@example.com", session: "s1", version: 1, metadata: { from: "me" } },
    });
    await put("/report.csv", "c,d");
    await put("/user:notes", "n", "text/plain");
    expect((await harness.send("GET", BASE)).body).toMatchObject({
      items: [
        { name: "user:notes", version: 1 },
        { name: "report.csv", version: 2 },
      ],
      next_cursor: null,
    });
    const page = await harness.send("GET", `${BASE}/report.csv/versions?limit=1`);
    expect(page.body.items).toEqual([first.body]);
    expect(page.body.next_cursor).toEqual(expect.any(String));
    expect(await download("/report.csv?version=1")).toMatchObject({ status: 200, text: "a,b" });
    const latest = await download("/report.csv");
    expect(latest.text).toBe("c,d");
    expect(Object.fromEntries(latest.headers)).toMatchObject({
      "content-type": "text/csv",
      "x-artifact-version": "2",
      "content-disposition": expect.stringContaining("report.csv") as string,
      "x-content-type-options": "nosniff",
    });
    const etag = latest.headers.get("etag") ?? "";
    expect((await download("/report.csv", { "if-none-match": etag })).status).toBe(304);
    expect(await download("/report.csv", { range: "bytes=1-1" })).toMatchObject({ status: 206, text: "," });
    expect((await harness.send("DELETE", `${BASE}/report.csv`)).status).toBe(204);
    expect((await harness.send("DELETE", `${BASE}/report.csv`)).body.code).toBe("ARTIFACT_NOT_FOUND");
    expect((await harness.send("GET", `${BASE}/report.csv/versions`)).body.code).toBe("ARTIFACT_NOT_FOUND");
  });

  it.each(["/..%2Fx", "/%2e%2e", "/a%5Cb", "/a%00b", `/${"x".repeat(256)}`, "/user:"])(
    "cannot be named %s",
    async (name) => {
      expect((await put(name, "x")).status).toBeGreaterThanOrEqual(400);
      expect((await harness.send("GET", BASE)).body.items).toEqual([]);
    },
  );

  it("refuse versions, metadata and parameters that are none", async () => {
    await put("/a", "x");
    for (const query of ["version=0", "version=x", "version=1.5", "versoin=1"]) {
      expect((await harness.send("GET", `${BASE}/a?${query}`)).body.code).toBe("INVALID_REQUEST");
    }
    expect((await harness.send("GET", `${BASE}/a?version=2`)).body.code).toBe("ARTIFACT_NOT_FOUND");
    for (const query of ["metadata=[]", "metadata={", "metadata=1"]) {
      expect((await put(`/a?${query}`, "x")).body.code).toBe("INVALID_REQUEST");
    }
  });

  it("are refused beyond their limits, and then nothing is kept", async () => {
    expect((await put("/big", "x".repeat(1001))).body.code).toBe("PAYLOAD_TOO_LARGE");
    const body = streamed("x".repeat(600), "x".repeat(600));
    expect((await harness.send("PUT", `${BASE}/big`, { body })).status).toBe(413);
    for (const letter of "ab") await put("/a", letter.repeat(1000));
    expect(await put("/b", "x")).toMatchObject({ status: 409, body: { code: "LIMIT_REACHED" } });
    expect((await harness.send("GET", BASE)).body.items).toMatchObject([{ name: "a", version: 2 }]);
  });

  it("have a plain type where the client's cannot stand in a header", async () => {
    await harness.send("PUT", `${BASE}/a`, {
      body: "x",
      headers: { "content-type": "text/html, text/plain" },
    });
    expect((await download("/a")).headers.get("content-type")).toBe("application/octet-stream");
  });

  it("do not exist on a server that keeps none", async () => {
    expect((await createHarness().send("GET", BASE)).body.code).toBe("NOT_FOUND");
  });
});
