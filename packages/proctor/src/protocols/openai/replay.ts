// Plays the recording of a model: the driver as it is, with the recording in the place of the model's server. Its tools are called again, by
// the driver; its pauses are not waited for.
import type { AgentReport, Job, StopSignals } from "../../core/ports/driver.ts";
import type { Recording } from "../../core/recording.ts";
import { HURRIED } from "../hurried-clock.ts";
import { createRecordedClient } from "../recorded-http-client.ts";
import { playRecording } from "../play-recording.ts";
import { createOpenaiDriver } from "./driver.ts";

export function replay(recording: Recording, job: Job, signals: StopSignals): AsyncGenerator<AgentReport> {
  // The recorded input of the agent is known; its options change nothing.
  const { options: _, ...spec } = job.spec;
  return playRecording(recording, { ...job, spec }, signals, {
    open: (script) =>
      Promise.resolve(createOpenaiDriver({ client: createRecordedClient(script), clock: HURRIED })),
    callTool: () => Promise.resolve(),
    unnamedUrl: `${recording.header.transport === "https" ? "https" : "http"}://recorded:1/v1#recorded`,
  });
}
