// What a hub that is not root can do with bubblewrap. The tests are root's, so another user is borrowed for it.
import { execFile } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { z } from "zod";
import { linkProgram } from "../../../test/support/bundle-program.ts";
import { describeBwrap } from "../../../test/support/environments/bwrap-machine.ts";

const PROGRAM = new URL("../../../test/support/environments/unprivileged-hub.ts", import.meta.url);
const NOBODY = 65534;
const output = z.looseObject({ available: z.boolean(), detail: z.string() });

await describeBwrap("a hub of an ordinary user", () => {
  it("has environments with one user, over a system that cannot be changed", async (context) => {
    const stateDir = mkdtempSync(join(tmpdir(), "proctor-user-"));
    chownSync(stateDir, NOBODY, NOBODY);
    chmodSync(stateDir, 0o700);
    try {
      const user = ["--reuid", String(NOBODY), "--regid", String(NOBODY), "--clear-groups"];
      const env = { PATH: process.env["PATH"] ?? "", HOME: stateDir, TMPDIR: stateDir };
      const ran = await promisify(execFile)(
        "setpriv",
        [...user, process.execPath, await linkProgram(fileURLToPath(PROGRAM)), stateDir],
        { env },
      ).catch((error: unknown) => ({ stdout: "", stderr: String(error) }));
      if (ran.stdout === "") {
        process.stdout.write(`skipped: an ordinary user: ${ran.stderr.split("\n")[0]}\n`);
        return context.skip();
      }
      const seen = output.parse(JSON.parse(ran.stdout));
      if (!seen.available) {
        process.stdout.write(`skipped: an ordinary user: ${seen.detail}\n`);
        return context.skip();
      }
      expect(seen).toMatchObject({
        profiles: ["strict"],
        id: "0",
        written: "x\ny",
        system: expect.stringContaining("Read-only file system"),
        shadow: "*",
        disk: expect.stringContaining("No space left"),
        processes: expect.stringContaining("temporarily unavailable"),
        rights: expect.stringContaining("denied"),
        changes: ["added /app/x", "removed /etc/hosts", "added /etc/y"],
        restored: expect.stringMatching(/^x\ny\nls: /),
      });
    } finally {
      rmSync(stateDir, { recursive: true, force: true });
    }
  });
});
