// Passes when at least one check inside passes.
import { group } from "./group.ts";
import { anyOf } from "../nested/kleene.ts";
import type { Registry } from "../nested/nested.ts";

export const any = (registry: Registry) => group("any", registry, { wished: "pass", decide: anyOf });
