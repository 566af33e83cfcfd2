// Every door of the hub and the scope that it asks for: one table, generated from the routes, held to docs/reference/tokens.md, and walked
// through on a real server. `UPDATE_TABLES=1` writes the table anew.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { SCOPES, type Scope } from "../src/core/scope.ts";
import { serveHub, type RunningHub } from "./support/serve-hub.ts";

interface Door {
  method: string;
  path: string;
  /** Undefined for a door that is open to everybody. */
  scope: Scope | undefined;
  unbound: boolean;
  isSocket: boolean;
}

interface Operation {
  security?: [];
  "x-scope"?: Scope;
  "x-unbound"?: true;
  "x-websocket"?: object;
}

const PAGE = fileURLToPath(new URL("../../../docs/reference/tokens.md", import.meta.url));
const YAML = `
default_agent: writer
agents:
  - name: writer
    address: "atp+http://127.0.0.1:9/none"
gateway:
  agents:
    behind:
      url: http://127.0.0.1:9
      card: {name: behind, supportedInterfaces: [{url: "http://127.0.0.1:9", protocolBinding: JSONRPC, protocolVersion: "1.0"}]}
`;

let hub: RunningHub;
let doors: Door[];

beforeAll(async () => {
  hub = await serveHub({ yaml: YAML });
  const { paths } = (await (await hub.send("GET", "/openapi.json")).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  doors = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      scope: operation.security === undefined ? operation["x-scope"] : undefined,
      unbound: operation["x-unbound"] === true,
      isSocket: operation["x-websocket"] !== undefined,
    })),
  );
});

/** A token with every scope but those that grant this one. */
const allBut = (scope: Scope): Scope[] =>
  // The keys of SCOPES are the scopes.
  (Object.keys(SCOPES) as Scope[]).filter((each) => each !== "admin" && each !== scope);

/** What the door says to this token; a socket is asked for as a socket. */
async function knock({ method, path, isSocket }: Door, token?: string): Promise<number> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === "agent" ? (path.startsWith("/gateway") ? "behind" : "writer") : "none",
  );
  const isRpc = /^\/(?:a2a|gateway)\/\{agent\}$/.test(path);
  const hasBody = method !== "GET" && method !== "DELETE";
  const body = isRpc
    ? { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "none" } }
    : messageFor(path);
  const leave = new AbortController();
  const response = await hub.send(method, filled, {
    ...(token !== undefined && { token }),
    ...(hasBody && { json: body }),
    headers: {
      "a2a-version": "1.0",
      ...(isSocket && { "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==", "sec-websocket-version": "13" }),
    },
    signal: leave.signal,
  });
  leave.abort();
  return response.status;
}

function messageFor(path: string): unknown {
  if (path.endsWith("message:send") || path.endsWith("message:stream"))
    return { message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }], taskId: "none" } };
  return path.endsWith("pushNotificationConfigs") ? { url: "https://example.com/hook" } : {};
}

/** The text with this between the marks of that name. */
function between(text: string, name: string, content: string): string {
  const start = `<!-- ${name} -->\n`;
  const end = `<!-- end ${name} -->\n`;
  const from = text.indexOf(start) + start.length;
  return text.slice(0, from) + content + text.slice(text.indexOf(end, from));
}

describe("every door of the hub", () => {
  it("says which scope it needs, or that it is open", () => {
    expect(doors.length).toBeGreaterThan(80);
    // Without either, `admin` is needed, which only these mean.
    const admin = doors.filter(({ scope }) => scope === "admin").map(({ path }) => path);
    const meant = /^\/(?:tokens|audit|messages\/(?:inboxes|dead)|workers\/\{id\}\/drain)(?:\/|$)/;
    expect(admin.filter((path) => !meant.test(path))).toEqual([]);
    expect(doors.filter(({ scope }) => scope !== undefined && !(scope in SCOPES))).toEqual([]);
  });

  it("is in the reference with its scope", () => {
    const rows = doors.map(({ method, path, scope, unbound }) => {
      const limits = unbound ? "refused" : "";
      return `| \`${method} ${path}\` | ${scope === undefined ? "open" : `\`${scope}\``} | ${limits} |`;
    });
    const text = readFileSync(PAGE, "utf8");
    const table = ["| Door | Scope | Bound tokens |", "|---|---|---|", ...rows, ""].join("\n");
    const wanted = between(text, "doors", table);
    if (process.env["UPDATE_TABLES"] === "1") writeFileSync(PAGE, wanted);
    else expect(text, "run this test with UPDATE_TABLES=1").toBe(wanted);
  });

  it("asks for a scope that the reference explains", () => {
    const rows = Object.entries(SCOPES).map(([scope, meaning]) => `| \`${scope}\` | ${meaning} |`);
    const text = readFileSync(PAGE, "utf8");
    const wanted = between(text, "scopes", `${rows.join("\n")}\n`);
    if (process.env["UPDATE_TABLES"] === "1") writeFileSync(PAGE, wanted);
    else expect(text, "run this test with UPDATE_TABLES=1").toBe(wanted);
  });

  it("refuses whoever has no token, and a token without its scope, and takes one that has it", async () => {
    const wrong: string[] = [];
    const secrets = new Map<string, string>();
    const tokenOf = async (key: string, scopes: Scope[]): Promise<string> => {
      const known = secrets.get(key) ?? (await hub.issue({ scopes })).secret;
      secrets.set(key, known);
      return known;
    };
    for (const door of doors) {
      const { scope } = door;
      if (scope === undefined) {
        const status = await knock(door);
        // Tools and models have secrets of their own.
        if (status === 401 && !door.path.startsWith("/llm")) wrong.push(`${door.path} is not open`);
        continue;
      }
      const got = [
        await knock(door),
        await knock(door, await tokenOf(`not ${scope}`, allBut(scope))),
        await knock(door, await tokenOf(scope, [scope])),
      ];
      if (got[0] !== 401 || got[1] !== 403 || got[2] === 401 || got[2] === 403)
        wrong.push(`${door.method} ${door.path} (${scope}): ${got.join(", ")}`);
    }
    expect(wrong).toEqual([]);
  });

  it("refuses a token that is bound to another agent, or shows it nothing", async () => {
    const binding = { kind: "agent", name: "other" } as const;
    const scopes = allBut("admin");
    const { secret } = await hub.issue({ scopes, binding });
    const wrong: string[] = [];
    for (const door of doors) {
      const named = door.path.includes("{agent}") || door.unbound;
      if (door.scope === undefined || door.scope === "admin" || !named) continue;
      const status = await knock(door, secret);
      if (status !== 403) wrong.push(`${door.method} ${door.path}: ${status}`);
    }
    expect(wrong).toEqual([]);
    for (const path of ["/runs", "/agents", "/questions"])
      expect(await (await hub.send("GET", path, { token: secret })).json()).toMatchObject({ items: [] });
  });
});
