// `proctor docs`: the documentation, without a browser.
import type { Command } from "commander";
import type { Execute } from "../context.ts";

export function defineDocs(program: Command, execute: Execute): void {
  program
    .command("docs")
    .summary("print a page of the documentation")
    .description("Print a page of the documentation as Markdown; without a name, list the pages.")
    .argument("[page]", "name of the page, such as checks")
    .addHelpText("after", "\nExamples:\n  $ proctor docs\n  $ proctor docs checks | less")
    .action((page: string | undefined) =>
      execute(async (context) => (await import("../actions/docs/print-docs.ts")).printDocs(page, context)),
    );
}
