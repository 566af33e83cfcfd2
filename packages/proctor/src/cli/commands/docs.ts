// `proctor docs`: the documentation, without a browser.
import type { Command } from "commander";
import type { Execute } from "../compose/compose.ts";
import { defineCommand } from "./define-command.ts";

export function defineDocs(program: Command, execute: Execute): void {
  defineCommand(program, execute, {
    name: "docs",
    summary: "print a page of the documentation",
    description: "Print a page of the documentation as Markdown; without a name, list the pages.",
    arguments: [["[page]", "name of the page, such as checks"]],
    examples: ["proctor docs", "proctor docs checks | less"],
    action: async () => {
      const { printDocs } = await import("../actions/docs/print-docs.ts");
      return (page, _flags, context) => printDocs(page, context);
    },
  });
}
