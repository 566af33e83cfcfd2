// The script and the style of the report's page: the dashboard's components, which the build puts beside the program.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ProctorError } from "../../../core/errors.ts";

export interface PageFiles {
  script: string;
  style: string;
}

/** `from` is the address of this file, in a checkout or as it was built. */
export function readPageFiles(from = import.meta.url): PageFiles {
  const folder = new URL(from.endsWith(".ts") ? "../../../../dist/report/" : "../../../report/", from);
  try {
    return {
      script: readFileSync(new URL("report.js", folder), "utf8"),
      style: readFileSync(new URL("report.css", folder), "utf8"),
    };
  } catch (error) {
    throw new ProctorError(
      "USAGE",
      `the page of the HTML report is not in ${fileURLToPath(folder)}\nin a checkout, build it with: npx tsx scripts/build-report.ts; else install proctor again`,
      { cause: error },
    );
  }
}
