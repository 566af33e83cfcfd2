// Passes every run that `proctor test` makes on to recordings, to a collector of traces and to a count of workers.
import { messageOf } from "../../../core/message-of.ts";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { ProctorError } from "../../../core/errors.ts";
import type { OnRun } from "../../../suites/run/attempt.ts";
import { recordingFile } from "../../../suites/run/recording-files.ts";
import { readLog } from "../../../core/read-log.ts";
import type { CliIo } from "../../cli-io.ts";
import type { TestFlags } from "./flags.ts";
import type { HubSession } from "../../compose/compose.ts";
import { openTraces } from "../open-traces.ts";
import { countWorkers } from "./count-workers.ts";

interface Observers {
  onRun?: OnRun;
  close(): Promise<void>;
}

export async function openObservers(
  { record, otlp, workers: showsWorkers }: TestFlags,
  { composition }: HubSession,
  io: CliIo,
): Promise<Observers> {
  const all: OnRun[] = [];
  if (record !== undefined) {
    const folder = makeFolder(resolve(io.cwd, record));
    all.push(async ({ run, planned, number, turn, hub }) => {
      const more = {
        runNumber: number,
        testId: planned.test.id,
        ...(planned.key && { key: planned.key.task }),
      };
      await composition.writeRecording(
        recordingFile(folder, planned, number, turn),
        run,
        readLog(hub, run.id),
        more,
      );
    });
  }
  const traces = otlp === undefined ? undefined : await openTraces(otlp, composition, io);
  if (traces) all.push(({ run, hub }) => traces.send(run, readLog(hub, run.id)));
  const workers = showsWorkers === true ? countWorkers(io) : undefined;
  if (workers) all.push(workers.onRun);
  const close = async (): Promise<void> => {
    await traces?.close();
    workers?.print();
  };
  if (all.length === 0) return { close };
  return {
    onRun: async (made) => {
      for (const observe of all) await observe(made);
    },
    close,
  };
}

/** Called before anything runs, so that a wrong folder costs no run. */
function makeFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true });
    return folder;
  } catch (cause) {
    const why = messageOf(cause);
    throw new ProctorError("USAGE", `--record: ${folder} cannot be written (${why})\nchoose another folder`, {
      cause,
    });
  }
}
