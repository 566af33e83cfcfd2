// The pack of the TCK for 1.0 for the kit that pins 1.0.0, which tests one thing otherwise than it requires it: see README.md.
import { behaviour, completed } from "./events.ts";
import type { Pack, PackOptions } from "./pack.ts";
import { tckPack } from "./tck.ts";

export function tck100Pack(options?: PackOptions): Pack {
  const { rules, fallback } = tckPack(options);
  const asTested = behaviour("tck-send-003", [completed]);
  return {
    rules: [{ when: { messageIdPrefix: "tck-send-003" }, script: asTested, each: "message" }, ...rules],
    fallback,
    patch: "1.0.0",
  };
}
