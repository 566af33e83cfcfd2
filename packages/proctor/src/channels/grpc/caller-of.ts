// Who makes a call: put beside it by the server, read by its service.
import {
  createContextKey,
  createContextValues,
  type ContextValues,
  type HandlerContext,
} from "@connectrpc/connect";
import { OPERATOR, type Caller } from "../../core/caller.ts";

const CALLER = createContextKey<Caller>(OPERATOR, { description: "who makes the call" });

export function callerOf({ values }: Pick<HandlerContext, "values">): Caller {
  return values.get(CALLER);
}

export function valuesWith(caller: Caller | undefined): ContextValues {
  const values = createContextValues();
  return caller === undefined ? values : values.set(CALLER, caller);
}
