// A platform whose parts are there and do nothing: for tests that look at how routes describe themselves.
import type { Platform } from "../../src/core/ports/platform.ts";

// No route is called.
export const describedPlatform = {
  conformance: {},
  doubles: {},
  evaluations: {},
  goals: {},
  messages: {},
  registry: {},
  scriptTools: {},
  tokens: {},
  workers: {},
} as unknown as Platform;
