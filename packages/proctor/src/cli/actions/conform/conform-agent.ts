// `proctor conform`: tries the rules of an agent's protocol on it and shows what came of each.
import type { AgentSpec } from "../../../core/agent.ts";
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
import { roleWords } from "../../../conformance/reports/report.ts";
import { checkActsFlags, selectRules } from "./choose-conformance.ts";
import { findSubject } from "./find-subject.ts";
import type { ConformFlags } from "./flags.ts";
import type { CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { version } from "../../version.ts";
import { createConformReport } from "./conform-report.ts";
import { openConformReports, type ConformReports } from "./conform-reports.ts";
import { readBaseline } from "./read-baseline.ts";
import { recordReport } from "./record-report.ts";
import { parseSecrets } from "../key-values.ts";

const DEFAULT_TIMEOUT_SECONDS = 30;
/** Characters of the longest task, which leaves room for the words that rules put in front of it. */
const MAX_TASK_CHARS = MAX_DESCRIPTION_CHARS - 1000;

export async function conformAgent(
  named: string | undefined,
  flags: ConformFlags,
  context: CommandContext,
): Promise<number> {
  checkActsFlags(flags);
  const options = readOptions(flags, context);
  const baseline =
    flags.baseline === undefined ? undefined : await readBaseline(flags.baseline, context.io.cwd);
  const { agent, spec, conformance } = await findSubject(named, flags, context);
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
    await recordReport(document, flags, context);
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

/** Returns the exit code. With a baseline only what got worse fails. */
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

function noOccasion(spec: AgentSpec): ProctorError {
  return new ProctorError(
    "USAGE",
    `none of these rules has an occasion ${roleWords(spec)}\nsee where each is tried: proctor docs conformance`,
  );
}
