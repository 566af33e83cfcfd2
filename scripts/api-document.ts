// The OpenAPI document of a hub that has every part, made of the descriptions of its routes.
import type { Platform } from "../packages/proctor/src/core/ports/platform.ts";
import type { OpenApiDocument } from "../packages/proctor/src/server/openapi.ts";
import { createRoutes } from "../packages/proctor/src/server/routes.ts";

/** Stands for a part of the hub. It is never used, because no route is called. */
const PART = {} as never;
const PLATFORM: Platform = {
  conformance: PART,
  doubles: PART,
  evaluations: PART,
  goals: PART,
  messages: PART,
  registry: PART,
  scriptTools: PART,
  tokens: PART,
  workers: PART,
};

export function apiDocument(): OpenApiDocument {
  const { openapi } = createRoutes({
    eventLog: PART,
    platform: PLATFORM,
    desk: PART,
    streams: PART,
    bodyLimitBytes: 1024,
    onFailure: PART,
    ready: PART,
    metrics: PART,
    version: "0.0.0",
  });
  return openapi();
}
