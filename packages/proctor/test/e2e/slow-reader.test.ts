// A client that opens a stream and does not read it costs the run nothing and the hub next to nothing; when it reads at
// last, it has missed nothing.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { expect, it } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import type { Page } from "../../src/core/page.ts";
import type { Run } from "../../src/core/run.ts";
import { startHubProcess } from "../support/hub-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fixture } from "../support/test-hub.ts";
import { eventually } from "../support/eventually.ts";

const EVENTS = 10_000;
/** Added to the 300 that an event has: what counts is what a stalled reader leaves unread, and few large events cost less than many small ones. */
const MORE_BYTES = 1200;
/** How much the hub's memory may grow at its peak, over two floods of 15 MB each. */
const MAX_GROWTH_MB = 120;
const folder = temporaryFolder("slow");

/** Newer versions of Node keep a larger young generation by default; the bound is about what the hub keeps. */
const NODE_OPTIONS = "--max-semi-space-size=16";

it(`costs less than ${MAX_GROWTH_MB} MB, and does not hold up the run`, async () => {
  const hub = await startHubProcess({ folder, env: { PROCTOR_LOG: "silent", NODE_OPTIONS } });

  /** Floods the hub, and resolves with the sequence of the last event when the run has ended. */
  async function flood(onSubmitted: (id: string) => Promise<void>): Promise<number> {
    const agent = fixture("flood-events", String(EVENTS), String(MORE_BYTES));
    const { id } = await hub.post<Run>("/runs", { agent, task: { description: "flood" } });
    await onSubmitted(id);
    const ended = async (): Promise<void> =>
      expect(await hub.get<Run>(`/runs/${id}`)).toMatchObject({ status: "completed" });
    await eventually(ended);
    const { items } = await hub.get<Page<RunEvent>>(`/runs/${id}/events?after=${EVENTS}`);
    expect(items.at(-1)?.type).toBe("run.ended");
    return items.at(-1)?.sequence ?? 0;
  }

  const before = memoryMb(hub.pid, "VmRSS");
  await flood(async () => undefined);
  let stalled: Socket | undefined;
  // It ends while its reader is stalled.
  const last = await flood(async (id) => {
    stalled = await openStalled(hub.url, id);
  });
  const growth = memoryMb(hub.pid, "VmHWM") - before;

  if (process.platform === "linux") expect(growth).toBeLessThan(MAX_GROWTH_MB);
  const ids = await readIds(stalled);
  expect(ids).toHaveLength(last + 1);
  expect(ids.every((id, index) => id === index)).toBe(true);
  expect(await hub.stop()).toBe(0);
});

async function openStalled(url: string, runId: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, "connect");
  socket.write(
    `GET /runs/${runId}/events HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAccept: text/event-stream\r\nConnection: close\r\n\r\n`,
  );
  // The head of the answer is there, and nobody takes it.
  await once(socket, "readable");
  return socket;
}

async function readIds(socket: Socket | undefined): Promise<number[]> {
  let text = "";
  for await (const chunk of socket?.setEncoding("utf8") ?? []) text += chunk as string;
  return [...text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]));
}

/** VmRSS is what it has now, VmHWM the most it ever had. */
function memoryMb(pid: number, field: "VmRSS" | "VmHWM"): number {
  if (process.platform !== "linux") return 0;
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) / 1024;
}
