// `defaults` of all files of a suite as one: what is included first, then what includes it, key by key.
import { given } from "../../core/given.ts";
import { isJsonObject } from "../../core/json.ts";
import { inside, read, reporter, type Spot } from "./context.ts";
import { placeChecks, type PlacedCheck } from "./place-checks.ts";
import type { Fragment } from "./include.ts";
import type { RowProblems } from "./row-problems.ts";
import { defaultsSchema, type DefaultsFile } from "./schema.ts";
import type { Scope } from "./scope.ts";
import { placeLabs, type LabsEntry } from "./labs-entry.ts";
import { placeTools, type ToolsEntry } from "./tools-entry.ts";
import { compile, type Expander } from "./template.ts";

export interface Defaults {
  file: Omit<DefaultsFile, "tools" | "labs" | "checks" | "assertions">;
  checks: PlacedCheck[];
  tools?: ToolsEntry;
  labs?: LabsEntry;
}

/** The defaults for one test, or one row of it. Without a scope, templates are text like any other. */
type ReadDefaults = (scope?: Scope, origin?: string) => Defaults;

interface Layer {
  spot: Spot;
  raw: object;
  expander: Expander;
}

export function createDefaults(fragments: readonly Fragment[], problems: RowProblems): ReadDefaults {
  const layers = fragments.flatMap(({ source, head }): Layer[] => {
    const spot: Spot = { source, path: ["defaults"], problems };
    if (head.defaults === undefined) return [];
    if (!isJsonObject(head.defaults)) {
      read(defaultsSchema, head.defaults, spot, `"defaults"`);
      return [];
    }
    return [{ spot, raw: head.defaults, expander: compileLayer(head.defaults) }];
  });
  // Each layer is read once, however many tests there are.
  const known = new Map<object, Defaults>();

  function readLayer({ spot, raw, expander }: Layer, scope?: Scope, origin?: string): Defaults {
    const isOwn = scope !== undefined && !expander.fixed;
    const here: Spot = isOwn && origin !== undefined ? { ...spot, origin } : spot;
    // Compiled from a mapping, so it fills in a mapping.
    const value = scope ? (expander.expand(scope, reporter(here)) as object) : raw;
    const before = isOwn ? undefined : known.get(value);
    if (before) return before;
    const file = read(defaultsSchema, value, here, `"defaults"`, isOwn ? raw : undefined);
    const defaults = file ? placed(file, here) : EMPTY;
    if (!isOwn) known.set(value, defaults);
    return defaults;
  }

  const isFixed = layers.every(({ expander }) => expander.fixed);
  const merged = new Map<boolean, Defaults>();
  return (scope, origin) => {
    const before = isFixed || scope === undefined ? merged.get(scope !== undefined) : undefined;
    if (before) return before;
    const defaults = layers.map((layer) => readLayer(layer, scope, origin)).reduce(merge, EMPTY);
    if (isFixed || scope === undefined) merged.set(scope !== undefined, defaults);
    return defaults;
  };
}

const EMPTY: Defaults = { file: { constraints: {}, tags: [] }, checks: [] };

/** Variables have been filled in before; here they are only checked. */
function compileLayer({ vars, ...rest }: { vars?: unknown }): Expander {
  const expander = compile(rest);
  if (vars === undefined) return expander;
  if (expander.fixed) return constantWith(expander, vars);
  return {
    fixed: false,
    expand: (scope, report) => ({ ...(expander.expand(scope, report) as object), vars }),
  };
}

function constantWith(expander: Expander, vars: unknown): Expander {
  const value = { ...(expander.expand(new Map(), () => undefined) as object), vars };
  return { fixed: true, expand: () => value };
}

function placed({ tools, labs, checks, assertions, ...file }: DefaultsFile, spot: Spot): Defaults {
  const key = checks ? "checks" : "assertions";
  const set = placeTools(tools, inside(spot, "tools"));
  const met = placeLabs(labs, inside(spot, "labs"));
  return {
    file,
    checks: placeChecks(checks ?? assertions, inside(spot, key)),
    ...(set && { tools: set }),
    ...(met && { labs: met }),
  };
}

function merge(under: Defaults, over: Defaults): Defaults {
  const said = Object.fromEntries(Object.entries(over.file).filter(([, value]) => value !== undefined));
  const tools = over.tools ?? under.tools;
  const labs = { ...under.labs, ...over.labs };
  return {
    file: {
      ...under.file,
      ...said,
      constraints: { ...under.file.constraints, ...given(over.file.constraints) },
      tags: over.file.tags.length > 0 ? over.file.tags : under.file.tags,
      environment: { ...under.file.environment, ...over.file.environment },
      secrets: { ...under.file.secrets, ...over.file.secrets },
    },
    checks: over.checks.length > 0 ? over.checks : under.checks,
    ...(tools && { tools }),
    ...(Object.keys(labs).length > 0 && { labs }),
  };
}
