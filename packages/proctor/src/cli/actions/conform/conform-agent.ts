// `proctor conform`: tries the rules of an agent's protocol on it and shows what came of each.
import { resolve } from "node:path";
import { isAddress, parseAddress } from "../../../core/address.ts";
import { parseCommandLine } from "../../../core/command-line.ts";
import { AGENT_NAME, MASK, type AgentSpec } from "../../../core/agent.ts";
import { ProctorError } from "../../../core/errors.ts";
import { MAX_DESCRIPTION_CHARS } from "../../../core/task.ts";
import { compareBaseline, type Baseline } from "../../../conformance/compare-baseline.ts";
import type {
  Conformance,
  ConformanceOptions,
  ConformanceSubject,
  RuleResult,
} from "../../../conformance/conformance.ts";
import { createDocument, ruleDocument, type ConformDocument } from "../../../conformance/document.ts";
import { checkActsFlags, chooseConformance, selectRules } from "./choose-conformance.ts";
import type { ConformFlags } from "./flags.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { version } from "../../version.ts";
import { createConformReport } from "./conform-report.ts";
import { openConformReports, type ConformReports } from "./conform-reports.ts";
import { readBaseline } from "./read-baseline.ts";
import { parsePairs, parseSecrets } from "../key-values.ts";

const DEFAULT_TIMEOUT_SECONDS = 30;
/** Leaves room for the words that rules put in front of the task. */
const MAX_TASK_CHARS = MAX_DESCRIPTION_CHARS - 1000;

export async function conformAgent(
  agent: string,
  flags: ConformFlags,
  context: CommandContext,
): Promise<number> {
  checkActsFlags(flags);
  const options = readOptions(flags, context);
  const baseline =
    flags.baseline === undefined ? undefined : await readBaseline(flags.baseline, context.io.cwd);
  const { spec, conformance } = await findSubject(agent, flags, context);
  if (flags.only !== undefined) options.only = selectRules(flags.only, conformance);
  const reports = await openConformReports(flags.reporter ?? [], context.io, {
    stdoutTaken: flags.json === true,
  });
  try {
    const document = await tryAgent(agent, spec, { flags, context, conformance, options, baseline, reports });
    if (flags.json === true) createScreen(context.io).printJson(document);
    reports.write(document);
    reports.close();
    reports.announce();
    return exitCode(document);
  } finally {
    reports.close();
  }
}

interface TryOptions {
  flags: ConformFlags;
  context: CommandContext;
  conformance: Conformance;
  options: ConformanceOptions;
  baseline: Baseline | undefined;
  reports: ConformReports;
}

/** Tries the rules, and shows each unless stdout is for a document. */
async function tryAgent(
  agent: string,
  spec: AgentSpec,
  { flags, context: { io }, conformance, options, baseline, reports }: TryOptions,
): Promise<ConformDocument> {
  const startedAt = performance.now();
  const checkedAt = new Date().toISOString();
  const strict = flags.strict === true;
  const { protocol, transport } = spec;
  let subject: ConformanceSubject = {};
  const report = createConformReport(io, {
    agent,
    transport,
    quiet: reports.hasStdout,
    idWidth: Math.max(...conformance.rules.map(({ id }) => id.length)),
    ...(baseline && { baseline }),
  });
  const results: RuleResult[] = [];
  try {
    const told = { ...options, describeSubject: (found: ConformanceSubject) => void (subject = found) };
    for await (const result of conformance.check(spec, told)) {
      results.push(result);
      report.add(ruleDocument(result, strict));
    }
  } finally {
    report.stop();
  }
  const interrupted = io.signal.aborted;
  if (results.length === 0 && !interrupted) throw noOccasion(spec);
  const { name = protocol.toUpperCase(), versions = [], rules } = conformance;
  const document = createDocument(
    {
      agent,
      protocol,
      name,
      transport,
      versions,
      ...subject,
      proctor_version: version(),
      checked_at: checkedAt,
      strict,
      complete: !interrupted && options.only === undefined,
      interrupted,
    },
    { results, durationMs: performance.now() - startedAt },
  );
  const asked = rules.filter(({ id }) => options.only?.includes(id) !== false);
  const compared = baseline
    ? { ...document, baseline: compareBaseline(document, baseline, asked) }
    : document;
  report.finish(compared);
  return compared;
}

/** With a baseline only what got worse fails. */
function exitCode({ interrupted, verdict, baseline }: ConformDocument): number {
  if (interrupted) return 130;
  return { pass: 0, fail: 1, unevaluated: 3 }[baseline?.outcome ?? verdict];
}

function readOptions(flags: ConformFlags, { io }: CommandContext): ConformanceOptions {
  const { task } = flags;
  if (task !== undefined && (task.trim() === "" || task.length > MAX_TASK_CHARS)) {
    throw new ProctorError(
      "USAGE",
      `--task must have 1 to ${MAX_TASK_CHARS} characters\nfor example: --task "Summarise: the sky is blue."`,
    );
  }
  return {
    timeoutMs: (flags.timeout ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
    signal: io.signal,
    ...(task !== undefined && { task }),
    environment: parseSecrets("--env", flags.env ?? [], io.env),
  };
}

interface Subject {
  spec: AgentSpec;
  conformance: Conformance;
}

/** The agent, or the client that is to meet ours. */
async function findSubject(subject: string, flags: ConformFlags, context: CommandContext): Promise<Subject> {
  const { composition, io } = context;
  if (flags.asAgent === undefined) {
    const spec = await findAgent(subject, flags, context);
    return { spec, conformance: await chooseConformance(spec, flags, context) };
  }
  for (const name of ["task", "header", "acts"] as const) {
    if (flags[name] !== undefined)
      throw new ProctorError("USAGE", `--${name} is for agents, not for clients\nleave it out`);
  }
  const spec = { protocol: flags.asAgent, transport: "client", command: parseCommandLine(subject, 1) };
  return { spec, conformance: await composition.clientConformance({ cwd: io.cwd, env: io.env }) };
}

/** A program given by address is started by this process, in the directory where it was typed. */
async function findAgent(agent: string, flags: ConformFlags, context: CommandContext): Promise<AgentSpec> {
  const given = parsePairs("--header", flags.header ?? []);
  const spec =
    isAddress(agent) || !AGENT_NAME.test(agent)
      ? parseAddress(agent)
      : await registered(agent, Object.keys(given), flags, context);
  return {
    ...spec,
    ...(spec.command !== undefined && { cwd: resolve(context.io.cwd, spec.cwd ?? "") }),
    ...((spec.headers ?? flags.header) && { headers: { ...spec.headers, ...given } }),
  };
}

/** A hub never gives its agents' secrets away, so they have to be given again. */
async function registered(
  name: string,
  headers: readonly string[],
  flags: ConformFlags,
  context: CommandContext,
): Promise<AgentSpec> {
  return withHub(context, flags, "read", async ({ hub }) => {
    const {
      name: _,
      address: __,
      created_at: ___,
      env = {},
      headers: sealed = {},
      ...spec
    } = await hub.agent(name);
    const names = (flags.env ?? []).map((entry) => entry.split("=")[0]);
    const lacking = [
      ...unknownValues(env, names).map((key) => `--env ${key}`),
      ...unknownValues(sealed, headers).map((key) => `--header ${key}=…`),
    ];
    if (lacking.length === 0) return spec;
    throw new ProctorError(
      "USAGE",
      `agent "${name}" has values that only its hub knows\ngive them here, too: ${lacking.join(" ")}`,
    );
  });
}

function unknownValues(values: Record<string, string>, given: readonly (string | undefined)[]): string[] {
  return Object.keys(values).filter((key) => values[key] === MASK && !given.includes(key));
}

function noOccasion({ transport }: AgentSpec): ProctorError {
  return new ProctorError(
    "USAGE",
    `none of these rules has an occasion over ${transport}\nsee where each is tried: proctor docs conformance`,
  );
}
