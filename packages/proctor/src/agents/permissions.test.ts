// Who may register, change and speak for agents, and where agents may be.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTestRegistry, type TestRegistry } from "../../test/support/test-registry.ts";
import type { Caller } from "../core/caller.ts";
import type { NewAuditEntry, NewToken } from "../core/token.ts";
import { createEndpointGuard } from "../runtime/addresses/endpoint-guard.ts";

const agentToken = (name: string): Caller => ({
  name: `token:${name}`,
  scopes: ["agents:register"],
  binding: { kind: "agent", name },
});
const ANYBODY: Caller = { name: "token:any", scopes: ["agents:register"] };
const FOLDER: Caller = { ...ANYBODY, name: "token:folder", binding: { kind: "folder", name: "team" } };
const READER: Caller = { name: "token:reader", scopes: ["agents:read"] };

let opened: TestRegistry;
let noted: NewAuditEntry[];
let created: NewToken[];
let enrolled: string[];

beforeEach(async () => {
  noted = [];
  created = [];
  enrolled = [];
  opened = await openTestRegistry({
    tokens: {
      async create(token) {
        created.push(token);
        // The registry looks at the secret alone.
        return { secret: `secret-${token.binding?.name}` } as never;
      },
    },
    authority: {
      closed: () => true,
      enrol: async (caller, agent) => {
        if (caller.name === "token:used") throw new Error("used before");
        enrolled.push(agent);
      },
      note: (entry) => noted.push(entry),
      retire: async () => undefined,
    },
  });
});
afterEach(() => opened.close());

async function code(action: () => unknown): Promise<unknown> {
  try {
    await action();
    return "done";
  } catch (error) {
    return (error as { code?: string }).code;
  }
}

describe("the registry on a hub with tokens", () => {
  it("gives an agent that registers a token of its own, bound to it, and writes that down", async () => {
    const first = await opened.registry.register({ name: "a" }, ANYBODY);
    expect(first.token).toBe("secret-a");
    expect(created).toMatchObject([{ kind: "agent", binding: { kind: "agent", name: "a" } }]);
    expect(created[0]?.scopes).not.toContain("programs");
    expect(enrolled).toEqual(["a"]);
    expect(noted).toMatchObject([{ actor: "token:any", action: "agent.registered", subject: "agent:a" }]);
    const again = await opened.registry.register({ name: "a" }, agentToken("a"));
    expect(again).not.toHaveProperty("token");
    expect(again.created).toBe(false);
  });

  it("keeps a taken name for the agent that has it", async () => {
    await opened.registry.register({ name: "a" }, ANYBODY);
    expect(await code(() => opened.registry.register({ name: "a" }, ANYBODY))).toBe("AGENT_EXISTS");
    expect(await code(() => opened.registry.register({ name: "a" }, agentToken("b")))).toBe("FORBIDDEN");
    expect(await code(() => opened.registry.register({ name: "a" }, agentToken("a")))).toBe("done");
  });

  it("keeps the name of an agent that was added by hand, even from whoever may change all", async () => {
    const agent = {
      name: "hand",
      protocol: "rest",
      transport: "http",
      url: "http://127.0.0.1:9/",
      address: "x",
    };
    await opened.store.putAgent({ agent: { ...agent, created_at: new Date(0).toISOString() }, sealed: null });
    await opened.registry.changed("hand", { ...agent, created_at: new Date(0).toISOString() });
    expect(await code(() => opened.registry.register({ name: "hand" }))).toBe("AGENT_EXISTS");
  });

  it("registers a name once when two ask for it at the same time", async () => {
    const both = [1, 2].map(() => code(() => opened.registry.register({ name: "a" }, ANYBODY)));
    expect(new Set(await Promise.all(both))).toEqual(new Set(["AGENT_EXISTS", "done"]));
  });

  it("registers nothing when the enrolment token was used before", async () => {
    const used = { ...ANYBODY, name: "token:used" };
    await expect(opened.registry.register({ name: "a" }, used)).rejects.toThrow("used before");
    expect(await code(() => opened.registry.get("a"))).toBe("AGENT_NOT_FOUND");
  });

  it("lets an agent's token act for that agent alone", async () => {
    await opened.registry.register({ name: "a" }, ANYBODY);
    const { registry } = opened;
    for (const caller of [agentToken("b"), ANYBODY, FOLDER]) {
      expect(await code(() => registry.beat("a", {}, caller)), caller.name).toBe("FORBIDDEN");
      expect(await code(() => registry.update("a", { stage: "retired" }, caller))).toBe("FORBIDDEN");
      expect(await code(() => registry.deregister("a", caller))).toBe("FORBIDDEN");
      expect(await code(() => registry.command("a", "stop", caller))).toBe("FORBIDDEN");
    }
    expect(await code(() => registry.beat("a", {}, READER))).toBe("SCOPE_MISSING");
    expect(await code(() => registry.register({ name: "c" }, READER))).toBe("SCOPE_MISSING");
    expect(await code(() => registry.beat("a", {}, agentToken("a")))).toBe("done");
    expect(await code(() => registry.deregister("a", agentToken("a")))).toBe("done");
  });

  it("lets a folder's token act for the agents of the folder", async () => {
    const { registry } = opened;
    expect(await code(() => registry.register({ name: "team.x" }, FOLDER))).toBe("done");
    expect(await code(() => registry.register({ name: "teamx" }, FOLDER))).toBe("FORBIDDEN");
    expect(await code(() => registry.beat("team.x", {}, FOLDER))).toBe("done");
  });

  it.each([
    { endpoint: "atp+stdio:node agent.mjs" },
    { spec: { protocol: "atp", transport: "stdio", command: ["sh", "-c", "id"] } },
    { spec: { protocol: "rest", transport: "http", url: "http://127.0.0.1:9/", command: ["sh"] } },
    { endpoint: "replay+file:/etc/passwd" },
  ])("takes no program from a token that may only register: %j", async (place) => {
    expect(await code(() => opened.registry.register({ name: "p", ...place }, ANYBODY))).toBe(
      "SCOPE_MISSING",
    );
    await opened.registry.register({ name: "a" }, ANYBODY);
    expect(await code(() => opened.registry.update("a", place, agentToken("a")))).toBe("SCOPE_MISSING");
  });
});

describe("an endpoint on a private address", () => {
  const reach = (hubHost: string, url: string, allowHosts: string[] = []) =>
    code(() =>
      createEndpointGuard({
        hubHost,
        allowHosts,
        resolve: async (host) => (host === "inside" ? ["10.0.0.7"] : ["8.8.8.8"]),
      })(url),
    );

  it.each([
    "http://127.0.0.1:80/",
    "http://[::1]/",
    "http://10.1.2.3/",
    "http://169.254.169.254/latest",
    "http://[::ffff:10.0.0.1]/",
    "http://0x7f.1/",
    "grpc://192.168.0.1:50051",
    "ws://inside/",
  ])("is refused on a hub that others reach: %s", async (url) => {
    expect(await reach("0.0.0.0", url)).toBe("FORBIDDEN");
    expect(await reach("127.0.0.1", url)).toBe("done");
  });

  it("is taken where the configuration names the host, and public ones always", async () => {
    expect(await reach("0.0.0.0", "http://inside:8080/", ["inside"])).toBe("done");
    expect(await reach("0.0.0.0", "http://inside:8080/", ["inside:8080"])).toBe("done");
    expect(await reach("0.0.0.0", "http://inside:8081/", ["inside:8080"])).toBe("FORBIDDEN");
    expect(await reach("0.0.0.0", "https://agents.example.com/")).toBe("done");
  });

  it("is refused when an agent registers it, moves to it, or is described by it", async () => {
    await opened.close();
    opened = await openTestRegistry({ apiHost: "0.0.0.0" });
    const { registry } = opened;
    for (const endpoint of ["atp+http://10.0.0.1/", "a2a+grpc://127.0.0.1:5", "http://127.0.0.1:9/"]) {
      expect(await code(() => registry.register({ name: "a", endpoint })), endpoint).toBe("FORBIDDEN");
    }
    await registry.register({ name: "a" });
    expect(await code(() => registry.update("a", { endpoint: "atp+http://10.0.0.1/" }))).toBe("FORBIDDEN");
  });
});
