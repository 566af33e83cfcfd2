// Under which key a service finds who calls it.
import { createContextKey, type ContextKey } from "@connectrpc/connect";
import type { Caller } from "../../core/caller.ts";

/** Undefined where whoever runs the hub calls. */
export const GRPC_CALLER: ContextKey<Caller | undefined> = createContextKey<Caller | undefined>(undefined, {
  description: "who calls",
});
