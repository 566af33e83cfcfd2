// `proctor tools add`.
import { readFile } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { ProctorError } from "../../../core/errors.ts";
import { given } from "../../../core/given.ts";
import { isJsonObject, type JsonObject } from "../../../core/json.ts";
import { messageOf } from "../../../core/message-of.ts";
import { parseJson } from "../../../core/parse-json.ts";
import type { NewScriptTool, ScriptLanguage, ScriptTool } from "../../../core/script-tool.ts";
import type { CliIo } from "../../cli-io.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { requireFlag } from "../../flags.ts";
import { field } from "../../terminal/run-summary.ts";
import { createScreen, type Screen } from "../../terminal/screen.ts";
import type { AddToolFlags } from "./flags.ts";

interface AddToolArguments {
  name: string;
  file: string;
  flags: AddToolFlags;
}

const LANGUAGES: Record<string, ScriptLanguage> = {
  ".js": "javascript",
  ".mjs": "javascript",
  ".py": "python",
  ".sh": "shell",
};
const EXAMPLE = `--parameters '{"type": "object", "properties": {"text": {"type": "string"}}}'`;

export async function addTool(args: AddToolArguments, context: CommandContext): Promise<number> {
  const { io } = context;
  const tool = await buildTool(args, io);
  const { flags } = args;
  return withHub(context, flags, "write", async ({ platform }) => {
    const added = await platform.scriptTools.put(tool, { replace: flags.replace === true });
    const screen = createScreen(io);
    if (flags.json === true) screen.printJson(added);
    else screen.print(...renderAdded(added, screen));
    return 0;
  });
}

async function buildTool({ name, file, flags }: AddToolArguments, io: CliIo): Promise<NewScriptTool> {
  const parameters = await readSchema(
    requireFlag(flags.parameters, "--parameters", EXAMPLE),
    "--parameters",
    io,
  );
  const returns = flags.returns === undefined ? undefined : await readSchema(flags.returns, "--returns", io);
  const limits = given({
    time_ms: flags.timeMs,
    memory_mb: flags.memoryMb,
    output_bytes: flags.outputBytes,
  });
  const { description, toolVersion: version, environment, image } = flags;
  return {
    name,
    language: flags.language ?? languageOf(file),
    source: await readText(file, io),
    parameters,
    ...given({ description, version, returns, environment, image }),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
}

function languageOf(file: string): ScriptLanguage {
  const language = LANGUAGES[extname(file).toLowerCase()];
  if (language !== undefined) return language;
  throw new ProctorError("USAGE", `${file} does not say its language\nname it: --language javascript`);
}

/** Reads a schema: text that begins like an object is JSON, anything else is the name of a file. */
async function readSchema(text: string, flag: string, io: CliIo): Promise<JsonObject> {
  const written = /^\s*\{/.test(text) ? text : await readText(text, io);
  let schema;
  try {
    schema = parseJson(written, flag);
  } catch (error) {
    throw new ProctorError("USAGE", `${messageOf(error)}\nfor example: ${EXAMPLE}`);
  }
  if (isJsonObject(schema)) return schema;
  throw new ProctorError("USAGE", `${flag} takes a JSON Schema\nfor example: ${EXAMPLE}`);
}

async function readText(file: string, io: CliIo): Promise<string> {
  try {
    return await readFile(resolve(io.cwd, file), "utf8");
  } catch (error) {
    throw new ProctorError("FILE_UNREADABLE", `${file} cannot be read: ${messageOf(error)}`);
  }
}

function renderAdded({ name, language, version = "", sha256 }: ScriptTool, { paint }: Screen): string[] {
  return [
    `${paint.green("✓")} added ${paint.bold(name)}`,
    ...field("language", [language], paint),
    ...field("version", [version], paint),
    ...field("sha256", [sha256], paint),
    ...field("try", [`proctor tools call ${name} --input '{…}'`], paint),
  ];
}
