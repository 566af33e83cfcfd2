// Builds the page of the HTML report from packages/dashboard into packages/proctor/dist/report: one script and one style, which the
// reporter writes into its files. Fails when they are larger than allowed. Part of `npm run build`.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Rolldown } from "vite";

const root = fileURLToPath(new URL("../packages/dashboard", import.meta.url));
const output = fileURLToPath(new URL("../packages/proctor/dist/report", import.meta.url));
/** Size limit in bytes of script and style together, compressed with gzip. */
const MOST_BYTES = 150_000;

const built = await build({
  root,
  configFile: false,
  logLevel: "warn",
  publicDir: false,
  build: {
    write: false,
    target: "es2022",
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
    lib: {
      entry: join(root, "src/report/main.tsx"),
      formats: ["iife"],
      name: "report",
      cssFileName: "report",
    },
  },
  define: { "process.env.NODE_ENV": '"production"' },
});

const files = (Array.isArray(built) ? built : [built]).flatMap((one) => ("output" in one ? one.output : []));
const script = inElement(only(files, ".js"));
const style = only(files, ".css");
if (/<\/style/i.test(style)) throw new Error("the report's style ends its element");
mkdirSync(output, { recursive: true });
writeFileSync(join(output, "report.js"), script);
writeFileSync(join(output, "report.css"), style);
const bytes = gzipSync(script, { level: 9 }).length + gzipSync(style, { level: 9 }).length;
writeFileSync(join(output, "weight.json"), `${JSON.stringify({ bytes })}\n`);
if (bytes > MOST_BYTES) {
  console.error(`the report's script and style have ${bytes} bytes, and may have ${MOST_BYTES}`);
  process.exitCode = 1;
}

function only(all: readonly (Rolldown.OutputChunk | Rolldown.OutputAsset)[], ending: string): string {
  const found = all.filter(({ fileName }) => fileName.endsWith(ending));
  const [file] = found;
  if (file === undefined || found.length > 1)
    throw new Error(`the report has ${found.length} files ${ending}`);
  return file.type === "chunk" ? file.code : file.source.toString();
}

/**
 * Makes code safe inside an HTML element: it does not end the element, and a parser reads it unchanged. A parser turns `\r\n` into `\n`,
 * after which a hash of the code would not match.
 */
function inElement(code: string): string {
  return code.replaceAll("\r\n", "\n").replaceAll(/<(?=\/script|!--)/gi, "\\x3c");
}
