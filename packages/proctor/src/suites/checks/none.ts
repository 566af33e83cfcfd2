// Passes when every check inside fails.
import { group } from "./group.ts";
import { noneOf } from "../nested/kleene.ts";
import type { Registry } from "../nested/nested.ts";

export const none = (registry: Registry) => group("none", registry, { wished: "fail", decide: noneOf });
