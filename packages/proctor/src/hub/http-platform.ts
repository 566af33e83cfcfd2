// What a hub elsewhere offers beside runs, over HTTP: each part is one line here, and made in a file of its own.
import type { Platform } from "../core/ports/platform.ts";
import { createHttpClient } from "./http-client.ts";
import type { ReadSse } from "./http-follow.ts";
import { createHttpMessages } from "./http-messages.ts";

interface HttpPlatformOptions {
  url: string;
  token?: string;
  readSse: ReadSse;
}

export function createHttpPlatform({ url, token, readSse }: HttpPlatformOptions): Platform {
  const client = createHttpClient({ url, ...(token !== undefined && { token }) });
  return { messages: createHttpMessages(client, readSse) };
}
