// What a hub elsewhere offers beside runs, over its neutral API. Each part has a file of its own.
import type { Platform } from "../core/ports/platform.ts";
import { createHttpClient } from "./http-client.ts";
import { createHttpScriptTools } from "./http-script-tools.ts";

export function createHttpPlatform(address: { url: string; token?: string }): Platform {
  const client = createHttpClient(address);
  return { scriptTools: createHttpScriptTools(client) };
}
