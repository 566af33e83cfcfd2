// What a hub offers beside runs: document 004. In this process (cli/compose/), and over HTTP (hub/).
import type { Messages } from "./messages.ts";

export interface Platform {
  // Each part adds its port here: registry, messages, tokens, scriptTools.
  messages: Messages;
}
