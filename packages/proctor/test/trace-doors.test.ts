// One table of how a trace goes through Proctor: every driver sends it, every surface takes it, and so does what a run calls. A driver or a
// surface without a row fails.
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { AgentSpec } from "../src/core/agent.ts";
import type { EnvelopeDraft } from "../src/core/envelope.ts";
import type { Job } from "../src/core/ports/driver.ts";
import { agentProtocol, serveAgentProtocol } from "../src/protocols/agent-protocol/index.ts";
import type { Surface } from "../src/protocols/protocol.ts";
import { createDriverLookup, PROTOCOLS, schemes } from "../src/protocols/registry.ts";
import { rootSpanId } from "../src/runtime/span-ids.ts";
import { HANG_MS } from "./support/eventually.ts";
import { openTestMessages } from "./support/messages/open-test-messages.ts";
import { serveHub, type RunningHub } from "./support/serve-hub.ts";
import { openCaseTerminal } from "./support/term/terminal.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";
import { SURFACE_DOORS, TRACE, type Door } from "./support/trace/surface-doors.ts";
import { openGrpcPeer, openHttpPeer, openSocketPeer, type TracePeer } from "./support/trace/peers.ts";

const TRACE_ID = "0123456789abcdef0123456789abcdef";
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Opens a session, and kills it when the `traceparent` was seen. */
async function drive(
  spec: AgentSpec,
  seen: Promise<string>,
  { mail, ...more }: Partial<Job> & { mail?: (draft: EnvelopeDraft) => void } = {},
): Promise<{ seen: string; expected: string }> {
  const runId = randomUUID();
  const job: Job = {
    runId,
    spec,
    task: { description: "do it" },
    constraints: {},
    context: {},
    metadata: {},
    traceId: TRACE_ID,
    ...more,
  };
  const drivers = createDriverLookup({
    hubId: "trace",
    ...(mail && {
      mail: { post: (draft: EnvelopeDraft) => Promise.resolve(mail(draft)), expect: () => () => undefined },
    }),
  });
  const kill = new AbortController();
  const done = (async () => {
    for await (const _ of drivers(spec).open(job, {
      cancel: new AbortController().signal,
      kill: kill.signal,
    }));
  })();
  // An agent that came to its end without a word named no trace.
  const found = await Promise.race([seen, done.then(() => Promise.race([seen, Promise.resolve("")]))]);
  kill.abort();
  await done;
  return { seen: found, expected: `00-${TRACE_ID}-${rootSpanId(runId)}-01` };
}

type Seeing = () => Promise<{ seen: string; expected: string }>;

function over(
  open: () => Promise<TracePeer>,
  scheme: string,
  address: string,
  options?: AgentSpec["options"],
): Seeing {
  const [protocol = "", transport = ""] = scheme.split("+");
  return async () => {
    const peer = await open();
    closers.push(() => peer.close());
    const url = address.replace("PORT", `${peer.port}`);
    return drive({ protocol, transport, url, ...(options && { options }) }, peer.seen);
  };
}

/** A program that writes its variable into a file. */
function program(scheme: string, terminal = false): Seeing {
  const [protocol = "", transport = ""] = scheme.split("+");
  return async () => {
    const file = join(temporaryFolder("traced"), "seen");
    const code = `require("fs").writeFileSync(${JSON.stringify(file)}, process.env.TRACEPARENT ?? "")`;
    const spec = { protocol, transport, command: [process.execPath, "-e", code] };
    const opened = terminal ? await openCaseTerminal() : undefined;
    if (opened) closers.push(() => opened.close());
    const { expected } = await drive(spec, new Promise(() => undefined), {
      ...(opened && { terminal: opened.environment }),
    });
    return { seen: readFileSync(file, "utf8"), expected };
  };
}

const inbox: Seeing = () => {
  let keep = (_seen: string): void => undefined;
  const seen = new Promise<string>((resolve) => (keep = resolve));
  const spec = { protocol: "envelope", transport: "inbox", url: "inbox:box" };
  const mail = ({ trace }: EnvelopeDraft) => keep(`00-${trace?.traceId}-${trace?.spanId}-01`);
  return drive(spec, seen, { mail });
};

const a2a = (binding: string, version: string) => ({ card: false, binding, version });

type Row = { where: string; see: Record<string, Seeing> } | { like: string } | { none: string };

const http = (scheme: string, url = "http://127.0.0.1:PORT/agent"): Row => ({
  where: "header",
  see: { "": over(() => openHttpPeer(), scheme, url) },
});

/** How each driver says the trace. `like`: the same driver over TLS. */
const DRIVERS: Record<string, Row> = {
  "atp+stdio": { where: "variable TRACEPARENT", see: { "": program("atp+stdio") } },
  "atp+http": http("atp+http"),
  "atp+https": { like: "atp+http" },
  "atp+ws": {
    where: "metadata.traceparent of the request, since runs share a socket",
    see: { "": over(openSocketPeer, "atp+ws", "ws://127.0.0.1:PORT/agent") },
  },
  "atp+wss": { like: "atp+ws" },
  "atp+grpc": { where: "metadata", see: { "": over(openGrpcPeer, "atp+grpc", "grpc://127.0.0.1:PORT") } },
  "a2a+http": {
    where: "header",
    see: {
      "its card": over(() => openHttpPeer("/agent/.well-known"), "a2a+http", "http://127.0.0.1:PORT/agent"),
      ...Object.fromEntries(
        ["JSONRPC", "HTTP+JSON"].flatMap((binding) =>
          ["1.0", "0.3"].map((version) => [
            `${binding} ${version}`,
            over(() => openHttpPeer(), "a2a+http", "http://127.0.0.1:PORT/agent", a2a(binding, version)),
          ]),
        ),
      ),
    },
  },
  "a2a+https": { like: "a2a+http" },
  "a2a+grpc": {
    where: "metadata",
    see: Object.fromEntries(
      ["1.0", "0.3"].map((version) => [
        version,
        over(openGrpcPeer, "a2a+grpc", "grpc://127.0.0.1:PORT", a2a("GRPC", version)),
      ]),
    ),
  },
  "a2a+grpcs": { like: "a2a+grpc" },
  "ap+http": http("ap+http"),
  "ap+https": { like: "ap+http" },
  "term+stdio": { where: "variable TRACEPARENT", see: { "": program("term+stdio", true) } },
  "term+builtin": { none: "it is in the hub's own process" },
  "openai+http": http("openai+http", "http://127.0.0.1:PORT/v1#m"),
  "openai+https": { like: "openai+http" },
  "rest+http": http("rest+http"),
  "rest+https": { like: "rest+http" },
  "text+stdio": { where: "variable TRACEPARENT", see: { "": program("text+stdio") } },
  "replay+file": { none: "a recording is read, and nobody is asked" },
  "envelope+http": http("envelope+http"),
  "envelope+https": { like: "envelope+http" },
  "envelope+inbox": { where: "trace of the envelope", see: { "": inbox } },
  "mcp+http": {
    where: "header",
    see: { "": over(() => openHttpPeer(), "mcp+http", "http://127.0.0.1:PORT/mcp", { tool: "t" }) },
  },
  "mcp+https": { like: "mcp+http" },
  "script-tool": { none: "it is in the hub itself" },
};

const SEEN = Object.entries(DRIVERS).flatMap(([scheme, row]) =>
  "see" in row
    ? Object.entries(row.see).map(([variant, see]): [string, Seeing] => [`${scheme} ${variant}`.trim(), see])
    : [],
);

const PAGE = fileURLToPath(new URL("../../../docs/reference/opentelemetry.md", import.meta.url));

/** `UPDATE_TABLES=1` writes the tables of the page anew. */
function holdTable(name: string, rows: readonly (readonly string[])[]): void {
  const text = readFileSync(PAGE, "utf8");
  const [before = "", rest = ""] = text.split(`<!-- ${name} -->\n`);
  const after = rest.slice(rest.indexOf("<!-- end -->"));
  const lines = rows.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
  const wanted = `${before}<!-- ${name} -->\n${lines}${after}`;
  if (process.env["UPDATE_TABLES"] === "1") writeFileSync(PAGE, wanted);
  else expect(text, "run this test with UPDATE_TABLES=1").toBe(wanted);
}

describe("the trace of a run", { timeout: HANG_MS }, () => {
  it("has a row for every driver", () => {
    expect(Object.keys(DRIVERS).sort()).toEqual(schemes().sort());
    for (const [scheme, row] of Object.entries(DRIVERS))
      if ("like" in row) expect([scheme, "see" in (DRIVERS[row.like] ?? {})]).toEqual([`${row.like}s`, true]);
  });

  it("is documented for every driver", () => {
    const place = (row: Row): string =>
      "like" in row ? `as \`${row.like}\`` : "none" in row ? `nowhere: ${row.none}` : row.where;
    holdTable(
      "traces of drivers",
      Object.entries(DRIVERS).map(([scheme, row]) => [`\`${scheme}\``, place(row)]),
    );
  });

  it.each(SEEN)("is sent to the agent over %s, below the span of the run", async (_, see) => {
    const { seen, expected } = await see();
    expect(seen).toBe(expected);
  });
});

describe("the trace of a client", { timeout: HANG_MS }, () => {
  let hub: RunningHub;
  beforeAll(async () => {
    hub = await serveHub({
      open: true,
      yaml: 'default_agent: echo\nagents:\n  - name: echo\n    address: "text+stdio:cat"\n',
    });
  });

  it("has a row for every surface, WebSocket and service", async () => {
    const opened = await openTestMessages();
    closers.push(() => opened.close());
    const tasks = {
      artifactsDir: opened.folder,
      workspacesRoot: opened.folder,
      exposeUri: false,
      collectFiles: false,
    };
    const options = {
      hub: opened.hub,
      log: opened.reader,
      messages: opened.messages,
      keepAliveMs: 1000,
      report: () => undefined,
    };
    const surfaces: Surface[] = [];
    for (const protocol of PROTOCOLS) {
      const served = protocol === agentProtocol ? serveAgentProtocol(tasks) : protocol;
      surfaces.push(...((await served.openSurfaces?.(options)) ?? []));
    }
    const doors = surfaces.flatMap((surface) => [
      surface.path,
      ...(surface.openapi?.().routes ?? []).flatMap(({ path, socket }) =>
        socket ? [`${path} (WebSocket)`] : [],
      ),
      ...(surface.grpc ? [`${surface.path} (gRPC)`] : []),
    ]);
    for (const surface of surfaces) surface.close();
    expect(Object.keys(SURFACE_DOORS).sort()).toEqual([...doors, "/runs"].sort());
  });

  it("is documented for every surface", () => {
    holdTable(
      "traces of surfaces",
      Object.entries(SURFACE_DOORS).map(([path, door]) => [
        `\`${path.replace(/ \(.*/, "")}\`${path.replace(/^[^(]*/, " ").trimEnd()}`,
        "none" in door ? `nowhere: ${door.none}` : door.where,
      ]),
    );
  });

  const doors = Object.entries(SURFACE_DOORS).filter(
    (entry): entry is [string, Door] => "starts" in entry[1],
  );
  const starts = doors.flatMap(([path, door]) =>
    Object.entries(door.starts).map(([how, start]) => [`${path} ${how}`.trim(), start] as const),
  );
  it.each(starts)("is that of the run which is asked for at %s", async (_, start) => {
    const known = new Set((await runs()).map(({ id }) => id));
    await start(hub);
    const made = (await runs()).filter(({ id }) => !known.has(id));
    expect(made).toHaveLength(1);
    const [run] = made;
    expect(run?.trace_id).toBe(TRACE.traceId);
    // An envelope stands between its client and its run.
    expect(run?.metadata.envelope?.parent_span_id ?? run?.parent_span_id).toBe(TRACE.spanId);
  });

  async function runs() {
    const page = await hub.send("GET", "/runs?limit=100");
    return ((await page.json()) as { items: Traced[] }).items;
  }
});

interface Traced {
  id: string;
  trace_id: string;
  parent_span_id: string | null;
  metadata: { envelope?: { parent_span_id?: string } };
}
