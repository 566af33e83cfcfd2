// What the API shows of workers.
import { z } from "zod";
import { listOf, Timestamp } from "./common.ts";

export const WorkerDocument = z
  .strictObject({
    id: z.string().describe("Host and process; `run.started` names it."),
    host: z.string(),
    pid: z.int(),
    version: z.string(),
    labels: z.array(z.string()).describe("What runs may require of it."),
    over: z
      .enum(["database", "http"])
      .optional()
      .describe("How it reaches the runs: it has the database, or a hub in place of it."),
    slots: z.int().describe("How many runs it takes at once; 0 for a server that only takes requests."),
    busy: z.int().describe("How many runs it has in flight."),
    draining: z.boolean().describe("It takes no more runs, and ends when those in flight have."),
    no_room: z
      .string()
      .optional()
      .describe(
        "Why it takes no run now, though it has free slots: its disk is full. Absent while there is room.",
      ),
    alive: z.boolean().describe("False once nothing was heard of it for half a minute."),
    started_at: Timestamp,
    seen_at: Timestamp,
  })
  .meta({ id: "Worker", description: "A process that carries out runs." });

export const WorkerList = listOf("WorkerList", WorkerDocument);
