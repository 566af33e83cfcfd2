import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { basic, bearer } from "../../test/support/doubles/oauth-lab.ts";
import { directive, rpcRequest, message03 } from "../../test/support/doubles/scripted.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { startOAuthLab, startScriptedAgent } from "./index.ts";

async function tokenFrom(url: string, scope = "read"): Promise<string> {
  const body = new URLSearchParams({ grant_type: "client_credentials", scope });
  const response = await fetch(`${url}/token`, { method: "POST", headers: basic("test", "secret"), body });
  return ((await response.json()) as { access_token: string }).access_token;
}

describe("an OAuth lab in the process of a test", () => {
  it("gives tokens, shows its requests, and is gone when it is closed", async () => {
    const lab = await startOAuthLab();
    const waiting = lab.waitFor(1);
    expect(await lab.verify(await tokenFrom(lab.url))).toMatchObject({ ok: true });
    expect(await waiting).toMatchObject([{ endpoint: "token", client_id: "test", status: 200 }]);
    lab.setFaults([{ at: "token", status: 500 }]);
    expect(await tokenFrom(lab.url)).toBeUndefined();
    expect(lab.requests).toHaveLength(2);
    lab.clearRequests();
    expect(lab.requests).toEqual([]);
    await expect(lab.waitFor(1, { timeoutMs: 0 })).rejects.toThrow("0 of 1 requests came in time");
    await lab.close();
    await expect(tokenFrom(lab.url)).rejects.toThrow("fetch failed");
  });

  it("takes its script as a file or as an object, and names what is wrong in either", async () => {
    const file = join(temporaryFolder("oauth-lab"), "oauth.yaml");
    await writeFile(file, "issuer: https://id.example\n");
    await using lab = await startOAuthLab({ script: file });
    expect(lab.issuer).toBe("https://id.example");
    await writeFile(file, "tokens: 1\n");
    await expect(startOAuthLab({ script: file })).rejects.toThrow(/oauth\.yaml:1:1 {2}unknown key "tokens"/);
    const script = { clients: [{ id: "a", grants: ["password"] }] };
    // @ts-expect-error: there is no such grant.
    await expect(startOAuthLab({ script })).rejects.toThrow(
      /clients\.0\.grants\.0 .* must be "client_credentials"/,
    );
  });

  it("keeps a scripted agent behind its tokens, whose card stays open", async () => {
    await using lab = await startOAuthLab();
    await using agent = await startScriptedAgent({
      guard: (request) => lab.guard(request, { scopes: ["write"] }),
    });
    const text = directive([[{ kind: "task", status: { state: "completed" } }]], "x");
    const ask = (headers: Record<string, string>): Promise<Response> =>
      rpcRequest(agent.url, "message/send", { message: message03({ text }) }, headers);
    expect((await fetch(`${agent.url}/.well-known/agent-card.json`)).status).toBe(200);
    const refused = await ask({});
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
      401,
      'Bearer realm="proctor"',
    ]);
    expect((await ask(bearer(await tokenFrom(lab.url, "read")))).status).toBe(403);
    const answered = await ask(bearer(await tokenFrom(lab.url, "write")));
    expect(await answered.json()).toMatchObject({ result: { status: { state: "completed" } } });
    expect((await fetch(`${agent.url}/execute`, { method: "POST", body: "{}" })).status).toBe(401);
  });
});
