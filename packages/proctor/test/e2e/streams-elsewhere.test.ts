// Streams that were begun at one hub of a shared database, which is then killed, go on at another: nothing is missed, nothing comes twice.
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { readSse } from "../../src/channels/sse/read-sse.ts";
import type { RunEvent } from "../../src/core/event.ts";
import type { Run } from "../../src/core/run.ts";
import { eventually, HANG_MS } from "../support/eventually.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { createDatabase, lacksPostgres } from "../support/postgres.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { shellFixture } from "../support/test-hub.ts";

/** What a reader has seen, and the id that it comes back with. */
interface Reader {
  path: string;
  events: RunEvent[];
  lastId: string | undefined;
}

describe.skipIf(await lacksPostgres("streams that go on elsewhere"))(
  "streams of a hub that was killed",
  () => {
    /** Reads until the stream ends or breaks, or the run has ended. */
    async function read(hub: HubProcess, reader: Reader): Promise<void> {
      const leave = new AbortController();
      const headers = {
        accept: "text/event-stream",
        ...(reader.lastId !== undefined && { "last-event-id": reader.lastId }),
      };
      try {
        const response = await hub.send("GET", reader.path, { headers, signal: leave.signal });
        if (response.body === null) throw new Error("there is no stream");
        for await (const frame of readSse(response.body)) {
          if (frame.kind !== "message") continue;
          reader.lastId = frame.id;
          const event = JSON.parse(frame.data) as RunEvent;
          reader.events.push(event);
          if (event.type === "run.ended") return;
        }
      } finally {
        leave.abort();
      }
    }

    it(
      "go on at another with the last id: those of one run, and that of all runs",
      { timeout: HANG_MS },
      async () => {
        const env = {
          DATABASE_URL: await createDatabase(),
          SEAL_KEY: randomBytes(32).toString("base64"),
          PROCTOR_GRACE_SECONDS: "1",
        };
        const [first, second] = await Promise.all([
          startHubProcess({ folder: temporaryFolder("first"), env, args: ["--concurrency", "0"] }),
          startHubProcess({ folder: temporaryFolder("second"), env }),
        ]);
        const { id } = await first.post<Run>("/runs", {
          agent: shellFixture("pausable", "1000"),
          task: { description: "go on" },
        });
        const readers: Reader[] = [
          { path: `/runs/${id}/events`, events: [], lastId: undefined },
          { path: "/events", events: [], lastId: "0" },
        ];
        const broken = readers.map((reader) => read(first, reader).catch(() => undefined));
        await eventually(() => {
          for (const { events } of readers) expect(events.length).toBeGreaterThan(5);
        });
        await first.stop("SIGKILL");
        await Promise.all(broken);
        // Something happens while nobody reads.
        const { sequence } = await second.until(
          id,
          (event) => event.sequence > (readers[0]?.events.length ?? 0) + 3,
        );
        const reading = readers.map((reader) => read(second, reader));
        await eventually(() => {
          for (const { events } of readers) expect(events.at(-1)?.sequence).toBeGreaterThan(sequence);
        });
        await second.post(`/runs/${id}/cancel`);
        await Promise.all(reading);
        const log = await second.events(id);
        for (const { events } of readers) expect(events).toEqual(log);
        expect(await second.stop()).toBe(0);
      },
    );
  },
);
