// The agents of all files, multiplied by their matrices.
import { isJsonObject } from "../../core/json.ts";
import type { NewAgent } from "../../core/ports/hub.ts";
import type { AgentSpec } from "../../core/agent.ts";
import { didYouMean } from "../../core/suggest.ts";
import type { Finding } from "../../runtime/yaml/findings.ts";
import { agentEntry, placeAgent } from "../agent-entry.ts";
import { quote } from "../../core/printable.ts";
import { inside, read, reporter, type Spot } from "./context.ts";
import type { Fragment } from "./include.ts";
import { createMatrix } from "./matrix.ts";
import { matrixSchema } from "./parameter-schema.ts";
import { combine } from "./parameters.ts";
import type { RowProblems } from "./row-problems.ts";
import type { Scope } from "./scope.ts";
import { compile } from "./template.ts";

export interface DeclaredAgent {
  spot: Spot;
  /** The name; undefined when none could be read. */
  name?: string;
  /** Undefined when it is wrong, which has been reported. */
  agent?: NewAgent;
  /** Whether it comes from a matrix. */
  multiplied: boolean;
}

interface ReadAgentsOptions {
  scope: Scope;
  problems: RowProblems;
  /** The schemes that the hub speaks; any scheme is accepted when absent. */
  schemes?: readonly string[];
  checkOptions?: CheckOptions;
}

/** Says what is wrong with an agent's options; paths begin inside them. */
export type CheckOptions = (spec: AgentSpec) => readonly Finding[];

export function readAgents(fragments: readonly Fragment[], options: ReadAgentsOptions): DeclaredAgent[] {
  return fragments.flatMap(({ source, head }) =>
    head.agents.flatMap((raw, index) => {
      const spot: Spot = { source, path: ["agents", index], problems: options.problems };
      return expandAgent(raw, spot, options.scope).map(({ value, here, multiplied }): DeclaredAgent => {
        const agent = read(agentEntry, value, here, "this entry", value === raw ? undefined : raw);
        const written = isJsonObject(value) ? value["name"] : undefined;
        const name = agent?.name ?? (typeof written === "string" ? written : undefined);
        if (agent) checkScheme(agent, here, options.schemes);
        if (agent && options.checkOptions) reportOptions(options.checkOptions(agent), agent, here);
        return {
          spot: here,
          multiplied,
          ...(name !== undefined && { name }),
          ...(agent && { agent: placeAgent(agent, source.folder) }),
        };
      });
    }),
  );
}

interface Expanded {
  value: unknown;
  here: Spot;
  multiplied: boolean;
}

function expandAgent(raw: unknown, spot: Spot, scope: Scope): Expanded[] {
  if (!isJsonObject(raw)) return [{ value: raw, here: spot, multiplied: false }];
  const { matrix, ...body } = raw;
  const expander = compile(body);
  if (matrix === undefined) {
    const value = scope.size > 0 ? expander.expand(scope, reporter(spot)) : raw;
    return [{ value, here: spot, multiplied: false }];
  }
  const at = inside(spot, "matrix");
  const before = spot.problems.count();
  const entry = read(matrixSchema, matrix, at, `"matrix"`);
  const source = entry && createMatrix(entry, reporter(at));
  if (!source || spot.problems.count() > before) return [];
  if (source.size > MAX_AGENTS) {
    reporter(at)([], `this makes ${source.size} agents; at most ${MAX_AGENTS} are allowed`);
    return [];
  }
  return [...combine([source])].map(({ values, label }) => {
    const here = { ...spot, origin: label };
    const wider = new Map(scope);
    for (const [name, value] of Object.entries(values)) if (value !== undefined) wider.set(name, value);
    return { value: expander.expand(wider, reporter(here)), here, multiplied: true };
  });
}

const MAX_AGENTS = 1000;

function checkScheme({ protocol, transport }: NewAgent, spot: Spot, schemes?: readonly string[]): void {
  const scheme = `${protocol}+${transport}`;
  if (!schemes || schemes.includes(scheme)) return;
  const hint = didYouMean(scheme, schemes, `supported: ${schemes.join(", ")}`);
  reporter(spot)([], `no protocol speaks ${quote(scheme)}`, hint);
}

function reportOptions(findings: readonly Finding[], { options }: NewAgent, spot: Spot): void {
  // What an agent lacks altogether is told at its entry.
  const place = options === undefined ? spot : inside(spot, "options");
  for (const { path, at, message, hint } of findings) reporter(place, at)(path, message, hint);
}
