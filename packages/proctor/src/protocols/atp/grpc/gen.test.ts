import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../../../../", import.meta.url));
const bin = join(root, "node_modules/.bin");
const GENERATED = [
  "packages/proctor/src/protocols/atp/grpc/gen/atp/v1/agent_pb.ts",
  "packages/proctor/src/channels/grpc/gen/grpc/health/v1/health_pb.ts",
  "packages/proctor/src/protocols/a2a/grpc/gen/lf/a2a/v1/a2a_pb.ts",
  "packages/proctor/src/protocols/a2a/grpc/gen/a2a/v1/a2a_pb.ts",
  "packages/proctor/src/protocols/a2a/grpc/gen/google/rpc/error_details_pb.ts",
];

describe("what is generated from the .proto files", () => {
  let folder = "";
  let missing: string | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "proctor-buf-"));
    missing = await buf("--version").then(
      () => undefined,
      (problem: Error) => `buf does not run here: ${problem.message}`,
    );
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("is what would be generated now", async ({ skip }) => {
    if (missing !== undefined) skip(missing);
    await buf("generate", "--output", folder);
    for (const file of GENERATED) {
      const [now, committed] = await Promise.all([read(join(folder, file)), read(join(root, file))]);
      expect(committed === now, `${file} is out of date: npx buf generate`).toBe(true);
    }
  });

  it("keeps to buf's rules", async ({ skip }) => {
    if (missing !== undefined) skip(missing);
    await buf("lint");
  });

  function buf(...args: string[]): Promise<unknown> {
    const path = `${bin}${delimiter}${process.env["PATH"] ?? ""}`;
    return run(join(bin, "buf"), args, {
      cwd: root,
      env: { ...process.env, PATH: path, BUF_CACHE_DIR: folder },
    });
  }
});

function read(file: string): Promise<string> {
  return readFile(file, "utf8");
}
