// `proctor runs`: what ran, how it went, and stopping it.
import { Option, type Command } from "commander";
import { RUN_STATUSES, type RunStatus } from "../../core/run.ts";
import type { Execute, HubFlags } from "../context.ts";
import { addHubOptions, addJsonOption, positiveInteger, wholeNumber } from "../options.ts";
import type { ListFlags } from "./agents.ts";

export interface ListRunsFlags extends ListFlags {
  status?: RunStatus[];
  agent?: string;
}

export interface RunFlags extends HubFlags {
  json?: boolean;
}

export interface ExportFlags extends HubFlags {
  otlp?: string;
}

export interface ArtifactFlags extends HubFlags {
  output?: string;
}

export interface EventsFlags extends RunFlags {
  follow?: boolean;
  after?: number;
}

const RUN = "id of the run, the beginning of it, or last";

export function defineRuns(program: Command, execute: Execute): void {
  const runs = program
    .command("runs")
    .summary("list, inspect, follow and cancel runs")
    .description(
      "List, inspect, follow and cancel runs. A run is named by its id, by the beginning of its id, or by `last`, the newest.",
    );
  defineList(runs, execute);
  defineShow(runs, execute);
  defineEvents(runs, execute);
  defineArtifact(runs, execute);
  defineCancel(runs, execute);
  defineExport(runs, execute);
}

function defineList(runs: Command, execute: Execute): void {
  const command = runs
    .command("list")
    .summary("list runs, newest first")
    .description("List runs, newest first.")
    .addOption(new Option("--status <status...>", "only runs in one of these statuses").choices(RUN_STATUSES))
    .option("--agent <name>", "only runs of this agent")
    .option("--limit <n>", "at most n items", positiveInteger)
    .option("--cursor <cursor>", "continue where an earlier list ended");
  addJsonOption(command, "{items, next_cursor}");
  addHubOptions(command)
    .addHelpText(
      "after",
      "\nExamples:\n  $ proctor runs list\n  $ proctor runs list --status failed timeout --agent writer --limit 20\n  $ proctor runs list --json",
    )
    .action((flags: ListRunsFlags) =>
      execute(async (context) => (await import("../actions/runs/list-runs.ts")).listRuns(flags, context)),
    );
}

function defineShow(runs: Command, execute: Execute): void {
  const command = runs
    .command("show")
    .summary("show everything about one run")
    .description("Show everything about one run.")
    .argument("<run>", RUN);
  addJsonOption(command, "the run");
  addHubOptions(command)
    .addHelpText("after", "\nExamples:\n  $ proctor runs show last\n  $ proctor runs show 0190c3a4-… --json")
    .action((id: string, flags: RunFlags) =>
      execute(async (context) => (await import("../actions/runs/show-run.ts")).showRun(id, flags, context)),
    );
}

function defineEvents(runs: Command, execute: Execute): void {
  const command = runs
    .command("events")
    .summary("print or follow the log of one run")
    .description("Print the log of one run.")
    .argument("<run>", RUN)
    .option("-f, --follow", "keep printing until the run ends")
    .option("--after <sequence>", "begin after this sequence number", wholeNumber)
    .option("--json", "print one event per line as JSON on stdout, and nothing else there");
  addHubOptions(command)
    .addHelpText(
      "after",
      "\nExamples:\n  $ proctor runs events 0190c3a4-… --follow\n  $ proctor runs events 0190c3a4-… --after 41 --json",
    )
    .action((id: string, flags: EventsFlags) =>
      execute(async (context) =>
        (await import("../actions/runs/print-events.ts")).printEvents(id, flags, context),
      ),
    );
}

function defineArtifact(runs: Command, execute: Execute): void {
  const command = runs
    .command("artifact")
    .summary("print what a run produced")
    .description("Print one artifact of a run: as it is in a pipe, safe to look at on a terminal.")
    .argument("<run>", RUN)
    .argument("[name]", "name or id of the artifact; not needed when there is only one")
    .option("-o, --output <file>", "write it to this file");
  addHubOptions(command)
    .addHelpText(
      "after",
      "\nExamples:\n  $ proctor runs artifact last\n  $ proctor runs artifact last report.pdf --output report.pdf",
    )
    .action((run: string, name: string | undefined, flags: ArtifactFlags) =>
      execute(async (context) =>
        (await import("../actions/runs/print-artifact.ts")).printArtifact(run, name, flags, context),
      ),
    );
}

function defineCancel(runs: Command, execute: Execute): void {
  const command = runs
    .command("cancel")
    .summary("cancel a run")
    .description("Cancel a run that has not ended.")
    .argument("<run>", RUN);
  addJsonOption(command, "the run");
  addHubOptions(command)
    .addHelpText("after", "\nExamples:\n  $ proctor runs cancel 0190c3a4-…")
    .action((id: string, flags: RunFlags) =>
      execute(async (context) =>
        (await import("../actions/runs/cancel-run.ts")).cancelRun(id, flags, context),
      ),
    );
}

function defineExport(runs: Command, execute: Execute): void {
  const command = runs
    .command("export")
    .summary("send runs to an OpenTelemetry collector")
    .description("Send runs to an OpenTelemetry collector, each as a trace.")
    .argument("<run...>", RUN)
    .option("--otlp <url>", "where the collector listens, such as http://localhost:4318 (required)");
  addHubOptions(command)
    .addHelpText("after", "\nExamples:\n  $ proctor runs export 0190c3a4-… --otlp http://localhost:4318")
    .action((ids: string[], flags: ExportFlags) =>
      execute(async (context) =>
        (await import("../actions/runs/export-runs.ts")).exportRuns(ids, flags, context),
      ),
    );
}
