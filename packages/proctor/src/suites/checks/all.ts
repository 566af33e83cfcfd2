// Passes when every check inside passes.
import { group } from "./group.ts";
import { allOf } from "../nested/kleene.ts";
import type { Registry } from "../nested/nested.ts";

export const all = (registry: Registry) =>
  group("all", registry, { wished: "pass", decide: allOf, wanted: "all" });
