// What `proctor doctor` found, for people: what there is, what is missing, and what to do about it.
import type { EnvironmentReport } from "../../../core/ports/environments.ts";
import type { Screen } from "../../terminal/screen.ts";
import { oneLine, padEnd, wrap } from "../../terminal/text.ts";

/** What was found, in the form that `--json` prints. */
export interface Findings {
  /** Whether there is an isolated environment. */
  ok: boolean;
  /** Version of Proctor. */
  version: string;
  /** Environments of this machine, the strongest isolation first. */
  environments: EnvironmentFinding[];
  toolchain: { python: string | null; pytest: string | null; notes: readonly string[] };
  node: { version: string };
  data_dir: { path: string; writable: boolean; reason: string | null };
  hub: HubFinding;
}

interface EnvironmentFinding extends EnvironmentReport {
  isolated: boolean;
  /** False for an environment that this hub does not allow. */
  enabled: boolean;
}

export interface HubFinding {
  /** Address of the hub. Null where none listens. */
  url: string | null;
  running: boolean;
  /** Command that holds the data directory. */
  command: string | null;
  reason: string | null;
}

type Mark = "good" | "bad" | "odd" | "none";

/** Columns before the text that stands next to a label. */
const INDENT = 14;

export function renderFindings(findings: Findings, { paint, width }: Screen): string[] {
  const { environments, toolchain, node, data_dir: dataDir, hub } = findings;
  const room = Math.max(20, (width ?? Infinity) - INDENT);
  const marks = { good: paint.green("✓"), bad: paint.red("✗"), odd: paint.yellow("!"), none: paint.dim("·") };

  function line(mark: Mark | undefined, label: string, text: string): string[] {
    const [first = "", ...rest] = room === Infinity ? [oneLine(text)] : wrap(oneLine(text), room);
    const name = padEnd(label, INDENT - 2);
    const head = mark === undefined ? `  ${paint.dim(name)}` : `${marks[mark]} ${name}`;
    return [`${head}${first}`.trimEnd(), ...rest.map((more) => `${" ".repeat(INDENT)}${more}`)];
  }

  function environment(report: EnvironmentFinding): string[] {
    const { kind, available, isolated, detail, advice, profiles, networks, limits } = report;
    const mark = !available ? "bad" : isolated ? "good" : "odd";
    const given = (label: string, words: readonly string[]): string[] =>
      available && words.length > 0 ? line(undefined, label, words.join(", ")) : [];
    return [
      ...line(mark, kind, detail),
      ...given("profiles", profiles),
      ...given("networks", networks),
      ...given("limits", limits),
      ...advice.flatMap((text, index) => line(undefined, index === 0 ? "to do" : "", text)),
    ];
  }

  const { python, pytest, notes } = toolchain;
  return [
    paint.bold("Environments"),
    ...environments.flatMap(environment),
    "",
    paint.bold("Toolchain for verifiers"),
    ...line(python === null ? "bad" : "good", "python", python ?? "not found"),
    ...line(pytest === null ? "bad" : "good", "pytest", pytest ?? "not found"),
    ...notes.flatMap((note, index) => line(undefined, index === 0 ? "notes" : "", note)),
    "",
    paint.bold("This machine"),
    ...line("good", "proctor", findings.version),
    ...line("good", "node", node.version),
    ...line(dataDir.writable ? "good" : "bad", "data", describeData(dataDir)),
    ...line(hub.running ? "good" : hub.reason === null ? "none" : "bad", "hub", describeHub(hub)),
    "",
    findings.ok
      ? paint.green("terminal tasks and agents can be isolated here")
      : paint.red("nothing can be isolated here: terminal tasks will be refused"),
  ];
}

function describeData({ path, writable, reason }: Findings["data_dir"]): string {
  return writable ? path : `${path} cannot be written: ${reason ?? "unknown"}`;
}

function describeHub({ url, running, command, reason }: HubFinding): string {
  if (url === null)
    return command === null ? "none is running" : `none is running; \`${command}\` uses the data`;
  return running ? url : `${url} does not answer: ${reason ?? "unknown"}`;
}
