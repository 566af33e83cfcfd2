// Clients of a killed hub's sockets and streams go on at another hub of the same database, as far as their protocols let them come back:
// nothing is missed, nothing comes twice. That of server-sent events of runs is streams-elsewhere.test.ts.
import { randomBytes, randomUUID } from "node:crypto";
import { ClientFactory } from "@a2a-js/sdk/client";
import { GrpcTransportFactory } from "@a2a-js/sdk/client/grpc";
import { credentials } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { readSse } from "../../src/channels/sse/read-sse.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { Page } from "../../src/core/page.ts";
import type { Run } from "../../src/core/run.ts";
import { eventually, HANG_MS } from "../support/eventually.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { watchGrpc, watchSocket, type Hub } from "../support/live-clients.ts";
import { createDatabase, lacksPostgres } from "../support/postgres.ts";
import { raiseSteppedAgent, type SteppedAgent } from "../support/stepped-agent.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** What a client of `/ws` was told, as far as it has a number. */
interface Told {
  frames: JsonObject[];
  closed: Promise<void>;
  leave: () => void;
}

interface Frame {
  id: string;
  result: JsonObject;
}

describe.skipIf(await lacksPostgres("sockets that go on elsewhere"))(
  "sockets and streams of a killed hub",
  { timeout: HANG_MS },
  () => {
    let agent: SteppedAgent;
    let env: Record<string, string>;
    let second: HubProcess;

    beforeAll(async () => {
      agent = await raiseSteppedAgent();
      env = {
        DATABASE_URL: await createDatabase(),
        SEAL_KEY: randomBytes(32).toString("base64"),
        PROCTOR_GRACE_SECONDS: "1",
      };
      second = await startHubProcess({ folder: temporaryFolder("second"), env, args: ["--grpc-port", "0"] });
      await second.post("/agents", { name: "stepped", ...agent.spec });
    }, HANG_MS);
    afterAll(async () => {
      expect(await second.stop()).toBe(0);
      await agent.close();
    }, HANG_MS);

    /** A hub that takes requests and carries out nothing, for one test to kill. */
    const startFirst = (): Promise<HubProcess> =>
      startHubProcess({
        folder: temporaryFolder("first"),
        env,
        args: ["--concurrency", "0", "--grpc-port", "0"],
      });
    const doorsOf = ({ url, output }: HubProcess): Hub => ({
      url,
      grpcUrl: /grpc\s+(\S+)/.exec(output())?.[1] ?? "",
    });
    const runOf = async (description: string): Promise<Run> => {
      const { items } = await second.get<Page<Run>>("/runs?limit=100");
      const found = items.find(({ task }) => task.description === description);
      if (found === undefined) throw new Error(`there is no run of ${description}`);
      return found;
    };

    function subscribe({ url }: Hub, taskId: string, since: number): Told {
      const socket = new WebSocket(`${url.replace("http", "ws")}/ws`);
      const frames: JsonObject[] = [];
      socket.on("error", () => undefined);
      socket.on("open", () => socket.send(JSON.stringify({ type: "subscribe", agentId: taskId, since })));
      socket.on("message", (data) => {
        // Text frames arrive as buffers.
        const frame = JSON.parse((data as Buffer).toString()) as JsonObject;
        if (frame["type"] !== "subscribed" && typeof frame["seq"] === "number") frames.push(frame);
      });
      const closed = new Promise<void>((resolve) => void socket.once("close", () => resolve()));
      return { frames, closed, leave: () => socket.close() };
    }

    it("of document 003: a subscriber of /ws comes back with the last seq", async () => {
      const first = await startFirst();
      const description = randomUUID();
      const { id } = await first.post<Run>("/runs", { agent: "stepped", task: { description } });
      const before = subscribe(doorsOf(first), id, -1);
      const told = await agent.asked(description);
      await told.progress(2);
      await eventually(() => expect(before.frames.map(({ type }) => type)).toContain("task.started"));
      await first.stop("SIGKILL");
      await before.closed;
      // Something happens while nobody listens.
      await told.progress(2);
      await told.complete();
      await second.ended(id);
      const last = before.frames.at(-1)?.["seq"];
      const after = subscribe(doorsOf(second), id, Number(last));
      const control = subscribe(doorsOf(second), id, -1);
      await eventually(() => {
        for (const { frames } of [after, control]) expect(frames.at(-1)?.["type"]).toBe("task.completed");
      });
      expect([...before.frames, ...after.frames]).toEqual(control.frames);
      expect(control.frames.map(({ seq }) => seq)).toEqual(control.frames.map((_, index) => index));
      for (const one of [after, control]) {
        one.leave();
        await one.closed;
      }
    });

    it("of ATP: a client of its WebSocket resumes after the last event", async () => {
      const first = await startFirst();
      const [task_id, description] = [randomUUID(), randomUUID()];
      const request = { version: "1.0", task_id, task: { description } };
      const before = watchSocket(doorsOf(first), "stepped", request, { keep: true });
      const told = await agent.asked(description);
      await told.progress(3);
      await before.heard(3);
      await first.stop("SIGKILL");
      expect(await before.ended).toHaveProperty("without");
      await told.progress(2);
      const after = watchSocket(doorsOf(second), "stepped", request, {
        after: Number(before.events.at(-1)?.["sequence"]),
      });
      await after.heard(2);
      await told.progress(1);
      await told.complete();
      expect(await after.ended).toMatchObject({ response: { status: "completed", task_id } });
      const steps = [...before.events, ...after.events].map(
        ({ payload }) => (payload as JsonObject)["current_step"],
      );
      expect(steps).toEqual([0, 1, 2, 3, 4, 5]);
    });

    it("of ATP over gRPC, which has no way to come back: the task goes on, and is watched to its end at another door", async () => {
      const first = await startFirst();
      const [task_id, description] = [randomUUID(), randomUUID()];
      const request = { version: "1.0", task_id, task: { description } };
      const before = watchGrpc(doorsOf(first), "stepped", request);
      const told = await agent.asked(description);
      await told.progress(2);
      await before.heard(2);
      await first.stop("SIGKILL");
      // UNAVAILABLE: what a client tries elsewhere.
      expect(await before.ended).toEqual({ without: 14 });
      await told.progress(1);
      const after = watchSocket(doorsOf(second), "stepped", request, { after: 1 });
      await after.heard(1);
      await told.complete();
      expect(await after.ended).toMatchObject({ response: { status: "completed" } });
      expect(after.events.map(({ payload }) => (payload as JsonObject)["current_step"])).toEqual([2]);
      expect(await second.ended((await runOf(description)).id)).toMatchObject({ status: "completed" });
    });

    /** The frames of an A2A stream over JSON-RPC, until it ends or breaks. */
    async function readA2a(
      { url }: Hub,
      method: string,
      params: JsonObject,
      frames: Frame[],
      lastId?: string,
    ): Promise<void> {
      const answer = await fetch(`${url}/a2a/stepped`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "text/event-stream",
          "a2a-version": "1.0",
          ...(lastId !== undefined && { "last-event-id": lastId }),
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 7, method, params }),
      });
      if (answer.body === null) throw new Error("there is no stream");
      for await (const frame of readSse(answer.body)) {
        if (frame.kind !== "message") continue;
        frames.push({
          id: frame.id ?? "",
          result: (JSON.parse(frame.data) as { result: JsonObject }).result,
        });
      }
    }

    const messageOf = (text: string): JsonObject => ({
      message: { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text }] },
    });

    it("of A2A: a stream is subscribed to again with the id of its last frame", async () => {
      const first = await startFirst();
      const description = randomUUID();
      const before: Frame[] = [];
      const broken = readA2a(doorsOf(first), "SendStreamingMessage", messageOf(description), before).catch(
        () => undefined,
      );
      const told = await agent.asked(description);
      await told.progress(2);
      const { id } = await runOf(description);
      await second.until(id, ({ type, payload }) => type === "progress" && "current_step" in payload);
      await eventually(() => expect(JSON.stringify(before.at(-1))).toContain("TASK_STATE_WORKING"));
      await first.stop("SIGKILL");
      await broken;
      await told.progress(2);
      await told.complete();
      await second.ended(id);
      const [after, control]: [Frame[], Frame[]] = [[], []];
      await readA2a(doorsOf(second), "SubscribeToTask", { id }, after, before.at(-1)?.id);
      await readA2a(doorsOf(second), "SubscribeToTask", { id }, control, before[0]?.id);
      expect([...before.slice(1), ...after]).toEqual(control);
      expect(JSON.stringify(after.at(-1))).toContain("TASK_STATE_COMPLETED");
    });

    it("of A2A over gRPC: who subscribes again gets the task as it is, and then its end", async () => {
      const first = await startFirst();
      const description = randomUUID();
      const before: Frame[] = [];
      const broken = readA2a(doorsOf(first), "SendStreamingMessage", messageOf(description), before).catch(
        () => undefined,
      );
      const told = await agent.asked(description);
      await told.progress(1);
      await eventually(() => expect(before).not.toEqual([]));
      await first.stop("SIGKILL");
      await broken;
      const { id } = await runOf(description);
      const transport = new GrpcTransportFactory({ grpcChannelCredentials: credentials.createInsecure() });
      const card = `${second.url}/a2a/stepped/.well-known/agent-card.json`;
      const client = await new ClientFactory({ transports: [transport] }).createFromUrl(card, "");
      const seen: string[] = [];
      for await (const item of client.resubscribeTask({ tenant: "", id })) {
        seen.push(JSON.stringify(item));
        if (seen.length === 1) await told.complete();
      }
      expect(seen[0]).toContain(id);
      expect(seen.length).toBeGreaterThan(1);
      expect(await second.ended(id)).toMatchObject({ status: "completed" });
    });
  },
);
