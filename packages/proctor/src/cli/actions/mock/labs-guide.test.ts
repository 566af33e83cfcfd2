// What the guide and the reference of labs show is what the labs do.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createIo } from "../../../../test/support/cli/program-double.ts";
import { all, block, rows, section } from "../../../../test/support/markdown.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { OAUTH_ENDPOINTS, TOKEN_FAULTS } from "../../../core/oauth-script.ts";
import { openOAuthLab, openPushReceiver } from "../../compose/open-labs.ts";
import { main } from "../../main.ts";

const root = fileURLToPath(new URL("../../../../../..", import.meta.url));
const guide = readFileSync(join(root, "docs/guides/labs.md"), "utf8");
const reference = readFileSync(join(root, "docs/reference/labs.md"), "utf8");
const folder = temporaryFolder("labs-guide");
for (const [name, kind] of [
  ["oauth.yaml", "yaml"],
  ["push.yaml", "yaml"],
  ["suite.yaml", "yaml"],
  ["agent.mjs", "js"],
] as const) {
  writeFileSync(join(folder, name), block(guide, kind, `${kind === "js" ? "//" : "#"} ${name}`));
}
writeFileSync(join(folder, "reference-oauth.yaml"), block(reference, "yaml", "# oauth"));
writeFileSync(join(folder, "reference-push.yaml"), block(reference, "yaml", "# push"));

describe("the guide to labs", () => {
  test("has a suite whose agent passes with its labs, and fails without trying again", async () => {
    const env = { NO_COLOR: "1", PATH: process.env["PATH"] ?? "" };
    const passing = createIo({ cwd: folder, env });
    const code = await main(["test", "suite.yaml"], passing);
    expect({ code, err: passing.err() }).toEqual({ code: 0, err: "" });
    expect(passing.out()).not.toContain("s3cret-of-the-agent");
    const careless = readFileSync(join(folder, "agent.mjs"), "utf8").replace("attempt < 3", "attempt < 1");
    writeFileSync(join(folder, "agent.mjs"), careless);
    const failing = createIo({ cwd: folder, env });
    expect(await main(["test", "suite.yaml"], failing)).toBe(1);
  });

  test.each(["oauth.yaml", "reference-oauth.yaml"])(
    "has an OAuth server that can be served: %s",
    async (file) => {
      const lab = await openOAuthLab({ script: join(folder, file), env: {} });
      expect((await fetch(`${lab.url}/jwks`)).status).toBe(200);
      await lab.close();
    },
  );

  test.each(["push.yaml", "reference-push.yaml"])(
    "has a push receiver that can be served: %s",
    async (file) => {
      const receiver = await openPushReceiver({ script: join(folder, file), env: {} });
      expect(receiver.script.answers?.length).toBeGreaterThan(1);
      await receiver.close();
    },
  );

  test("has a test in TypeScript that passes", async () => {
    const entry = JSON.stringify(fileURLToPath(new URL("../../../testing/index.ts", import.meta.url)));
    const code = block(guide, "ts", "// tokens.test.ts").replace('"proctor/testing"', entry);
    const told: (() => Promise<void>)[] = [];
    // The test runs in this one, so its `test` only tells what it would do.
    Object.assign(globalThis, {
      told: (_name: string, body: () => Promise<void>) => told.push(body),
      expect,
    });
    const file = join(folder, "tokens.ts");
    writeFileSync(file, code.replace(/^import .*vitest.*$/m, "").replace("test(", "globalThis.told("));
    await import(/* @vite-ignore */ file);
    expect(told).toHaveLength(1);
    await told[0]?.();
  });
});

describe("the reference of labs", () => {
  test("has every endpoint and every fault of tokens", () => {
    const faults = rows(section(reference, "Faults"));
    const valuesOf = (key: string): string[] =>
      all(faults.find(([cell]) => cell === `\`${key}\``)?.[1] ?? "", /`([a-z_]+)`/g);
    expect(valuesOf("at")).toEqual([...OAUTH_ENDPOINTS]);
    expect(valuesOf("token")).toEqual([...TOKEN_FAULTS]);
  });

  test("has every request of the control API", async () => {
    const labs = {
      OAuth: await openOAuthLab({ script: {}, env: {} }),
      push: await openPushReceiver({ env: {} }),
    };
    for (const [request = "", lab = ""] of rows(section(reference, "The control API"))) {
      const [method = "", path = ""] = request.replaceAll("`", "").split(" ");
      const { url } = lab === "push" ? labs.push : labs.OAuth;
      const body = method === "PUT" ? { body: "[]" } : method === "POST" ? { body: '{"token": "x"}' } : {};
      const asked = await fetch(`${url}${path.replace("timeout_ms=1000", "timeout_ms=0")}`, {
        method,
        ...body,
      });
      expect([request, asked.status]).toEqual([request, expect.toBeOneOf([200, 204, 408])]);
    }
    await Promise.all([labs.OAuth.close(), labs.push.close()]);
  });
});
