// Uploads and downloads as people do them by hand, at the size the document names.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openApiServer, type ApiServer } from "../../../../../test/support/agent-protocol/api-server.ts";

const FIFTY_MB = 52_428_800;
const run = promisify(execFile);
let api: ApiServer;
let folder: string;
let artifacts: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "proctor-curl-"));
  api = await openApiServer();
  const task = await api.newTask();
  artifacts = `${api.url}/api/tasks/${task}/steps/${await api.newStep(task)}/artifacts`;
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

async function curl(...args: string[]): Promise<{ status: number; text: string }> {
  const { stdout } = await run("curl", ["-sS", "-w", "\n%{http_code}", ...args], { cwd: folder });
  const at = stdout.lastIndexOf("\n");
  return { status: Number(stdout.slice(at + 1)), text: stdout.slice(0, at) };
}

const hasCurl = await run("curl", ["--version"]).then(
  () => true,
  () => false,
);

describe.skipIf(!hasCurl)("curl", () => {
  it("uploads, reads, downloads and deletes a file", async () => {
    await writeFile(join(folder, "sales report.txt"), "Sales increased by 15%");
    const up = await curl(
      "-F",
      'file=@"sales report.txt"',
      "-F",
      "relative_path=reports/sales report.txt",
      artifacts,
    );
    expect(up.status).toBe(201);
    const {
      artifact_id: id,
      relative_path: path,
      mime_type: type,
    } = JSON.parse(up.text) as Record<string, string>;
    expect([path, type]).toEqual(["reports/sales report.txt", "text/plain"]);
    expect((await curl(`${artifacts}/${id}`)).status).toBe(200);
    // With the name that the server gives.
    const down = await mkdtemp(join(folder, "down-"));
    await run("curl", ["-sSOJ", `${artifacts}/${id}/download`], { cwd: down });
    expect(await readdir(down)).toEqual(["sales report.txt"]);
    expect(await readFile(join(down, "sales report.txt"), "utf8")).toBe("Sales increased by 15%");
    expect((await curl("-X", "DELETE", `${artifacts}/${id}`)).status).toBe(204);
    expect((await curl("-X", "DELETE", `${artifacts}/${id}`)).status).toBe(404);
  });

  it("keeps quotes and other scripts in a name", async () => {
    const name = 'he said "hi" 报告.txt';
    await writeFile(join(folder, "plain"), "x");
    const up = await curl("-F", `file=@plain;filename="${name.replaceAll('"', String.raw`\"`)}"`, artifacts);
    expect(JSON.parse(up.text)).toMatchObject({ file_name: name });
  });

  it("uploads 50 MB, and not one byte more", async () => {
    const bytes = Buffer.alloc(FIFTY_MB + 1, "0123456789abcdef");
    await writeFile(join(folder, "exact"), bytes.subarray(0, FIFTY_MB));
    await writeFile(join(folder, "over"), bytes);
    const exact = await curl("-F", "file=@exact", artifacts);
    expect(exact.status).toBe(201);
    const { artifact_id: id, size_bytes: size } = JSON.parse(exact.text) as Record<string, unknown>;
    expect(size).toBe(FIFTY_MB);
    const before = await readdir(api.artifactsDir, { recursive: true });
    const over = await curl("-F", "file=@over", artifacts);
    expect([over.status, JSON.parse(over.text)]).toMatchObject([413, { code: "PAYLOAD_TOO_LARGE" }]);
    expect(await readdir(api.artifactsDir, { recursive: true })).toEqual(before);
    await run("curl", ["-sSo", "back", `${artifacts}/${String(id)}/download`], { cwd: folder });
    const hash = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");
    expect(hash(await readFile(join(folder, "back")))).toBe(hash(bytes.subarray(0, FIFTY_MB)));
    // A download that broke off is continued.
    await writeFile(join(folder, "back"), bytes.subarray(0, 1_000_000));
    await run("curl", ["-sSC", "-", "-o", "back", `${artifacts}/${String(id)}/download`], { cwd: folder });
    expect((await readFile(join(folder, "back"))).byteLength).toBe(FIFTY_MB);
  });

  it("gets told what it forgot", async () => {
    await writeFile(join(folder, "plain"), "x");
    const noAt = await curl("-F", "file=plain", artifacts);
    expect([noAt.status, noAt.text]).toEqual([400, expect.stringContaining("-F file=@")]);
    const data = await curl("--data-binary", "@plain", artifacts);
    expect(data.status).toBe(415);
  });
});
