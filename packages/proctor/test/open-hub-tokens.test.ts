// A hub that is open, tokens on it, and how the first of them closes it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { serve } from "../src/cli/compose/serve.ts";
import { loadConfig } from "../src/cli/config/load-config.ts";
import { mintToken } from "../src/access/token-text.ts";
import { serveHub, type RunningHub } from "./support/serve-hub.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

describe("an open hub", () => {
  let hub: RunningHub;
  beforeAll(async () => {
    hub = await serveHub({ open: true });
  });
  const status = async (token?: string, path = "/runs"): Promise<number> =>
    (await hub.send("GET", path, token === undefined ? {} : { token })).status;

  it("holds a token that is sent to its limits, refuses a wrong one, and takes whatever else clients send", async () => {
    const binding = { kind: "agent", name: "writer" } as const;
    const { secret } = await hub.issue({ kind: "agent", scopes: ["runs:read"], binding });
    expect([await status(), await status("whatever-a-client-has")]).toEqual([200, 200]);
    expect([
      await status(secret),
      await status(secret, "/agents"),
      await status(secret, "/api/tasks"),
    ]).toEqual([200, 403, 403]);
    expect(await status(mintToken("api").text)).toBe(401);
  });

  it("is closed by the first token while it runs, and lets the commands of its machine go on", async () => {
    const { secret, closed_hub } = await hub.issue({ scopes: ["runs:read"] });
    expect(closed_hub).toBe(true);
    expect([await status(), await status("whatever-a-client-has"), await status(secret)]).toEqual([
      401, 401, 200,
    ]);
    const lock = JSON.parse(readFileSync(join(hub.folder, ".proctor", "proctor.db.lock"), "utf8")) as {
      token: string;
    };
    expect(await status(lock.token, "/tokens")).toBe(200);
  });
});

describe("a token with a rate", () => {
  it("is answered 429 with Retry-After when it is used too often", async () => {
    const hub = await serveHub();
    const { secret: token } = await hub.issue({
      scopes: ["runs:read"],
      rate: { per_second: 0.01, burst: 2 },
    });
    const answers = [];
    for (let count = 0; count < 3; count++) answers.push(await hub.send("GET", "/runs", { token }));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 429]);
    expect(Number(answers[2]?.headers.get("retry-after"))).toBeGreaterThan(1);
    expect(await answers[2]?.json()).toMatchObject({ code: "RATE_LIMITED" });
  });
});

describe("starting a hub", () => {
  const start = async (env: Record<string, string>, host: string): Promise<void> => {
    const config = await loadConfig({ cwd: temporaryFolder("unsafe"), env, flags: { port: "0", host } });
    await serve(config, { onReady: () => undefined, writeLog: () => undefined, signal: AbortSignal.abort() });
  };

  it("beyond loopback needs a token, whatever opened before", async () => {
    await expect(start({}, "0.0.0.0")).rejects.toMatchObject({ code: "UNSAFE_BIND" });
  });

  it("with a token that a hub issued is refused, because it would give that token all rights", async () => {
    const env = { PROCTOR_TOKEN: `long-text,${mintToken("api").text}` };
    await expect(start(env, "127.0.0.1")).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });
});
