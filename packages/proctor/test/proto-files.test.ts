import { execFile } from "node:child_process";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { temporaryFolder } from "./support/temporary-folder.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const bin = join(root, "node_modules/.bin");

it("the .proto files keep to buf's rules", async () => {
  const env = {
    ...process.env,
    PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}`,
    BUF_CACHE_DIR: temporaryFolder("buf"),
  };
  const linted = promisify(execFile)(join(bin, "buf"), ["lint"], { cwd: root, env });
  await expect(linted).resolves.toMatchObject({ stdout: "" });
});
