// A server with the official surface and a client of it, for each test that opens one.
import { afterEach } from "vitest";
import { createOfficialClient, type OfficialClient } from "./official-client.ts";
import { closeClean, openStage, type Stage, type StageOptions } from "./surfaces-server.ts";

export interface OfficialStage {
  stage: Stage;
  client: OfficialClient;
}

/** Returns a function that opens a stage, which is closed after the test and must then be clean. */
export function useOfficialStage(): (options?: StageOptions) => Promise<OfficialStage> {
  let stage: Stage | undefined;
  afterEach(async () => {
    if (stage !== undefined) await closeClean(stage);
    stage = undefined;
  });
  return async (options) => {
    stage = await openStage(options);
    return { stage, client: createOfficialClient(stage.url) };
  };
}
