// The guide "Tokens", followed from an empty folder with the built program: its commands as they stand there, in one shell.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { HANG_MS } from "../support/eventually.ts";
import { startHubProcess } from "../support/hub-process.ts";
import { block, blocks } from "../support/markdown.ts";
import { PROGRAM } from "../support/program.ts";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const GUIDE = readFileSync(
  fileURLToPath(new URL("../../../../docs/guides/tokens.md", import.meta.url)),
  "utf8",
);

it("the guide to tokens does what it says", { timeout: HANG_MS }, async () => {
  const folder = temporaryFolder("tokens-guide");
  writeFileSync(join(folder, "greeter.mjs"), block(GUIDE, "js", "// greeter.mjs"));
  const hub = await startHubProcess({ folder });
  const steps = blocks(GUIDE, "sh").map((text, index) => `printf "\\n== ${index}\\n"\n${text}`);
  const script = ["set -eu", `proctor() { "${process.execPath}" "${PROGRAM}" "$@"; }`, ...steps].join("\n");
  const { stdout, stderr } = await promisify(execFile)(
    "bash",
    ["-c", script.replaceAll("http://127.0.0.1:3001", hub.url)],
    { cwd: folder, env: { PATH: process.env["PATH"], HOME: folder, NO_COLOR: "1" } },
  );
  const [, added, closed, used, refused, rotated, ended, enrolled] = stdout.split(/\n== \d+\n/);
  expect(added).toMatch(/added greeter[^]*\{"items":\[\],"next_cursor":null\}$/);
  expect(closed).toMatch(/"code":"UNAUTHORIZED"/);
  expect(stderr).toContain("this hub is closed now");
  expect(used).toMatch(/"agent":"greeter","status":"queued"[^]*Hello, Bob!/);
  expect(refused?.match(/"code":"SCOPE_MISSING"/g)).toHaveLength(2);
  expect(rotated).toBe("old 200\nnew 200\n");
  expect(ended).toMatch(
    /revoked \w{12}\nrevoked 401\n[^]*revoked +runs:read,runs:write[^]*token\.revoked[^]*token\.rotated[^]*token\.created/,
  );
  expect(enrolled).toMatch(/^hub_enrol_\w{12}_\w{49}\n$/);
  await hub.stop();

  // The last token is gone, and the hub stays closed, also for other machines.
  const again = await startHubProcess({ folder });
  expect((await again.send("GET", "/runs")).status).toBe(401);
  expect(await runCommand(["runs", "list"], { folder })).toMatchObject({ code: 0 });
  await again.stop();
});
