// Starts a Chromium for tests: $CHROMIUM_PATH, else the system's, else the one from npm.
import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { chromium, type Browser } from "playwright-core";
import { eventually } from "../support/eventually.ts";

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

/** One of the test workers unpacks it and the others wait: the package takes a half-written program for a whole one. */
async function packagedChromium(): Promise<string> {
  const isWhole = join(tmpdir(), "chromium-is-whole");
  // Workers of one run have one parent.
  if (!existsSync(isWhole) && isFirst(join(tmpdir(), `chromium-of-${process.ppid}`))) {
    await rm(join(tmpdir(), "chromium"), { force: true });
    await unpackChromium();
    writeFileSync(isWhole, "");
  }
  await eventually(() => accessSync(isWhole));
  return unpackChromium();
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

/** Resolves to the program, which is unpacked unless it is there. */
async function unpackChromium(): Promise<string> {
  // Makes the package unpack the libraries it needs beside the program. Read when the package is loaded.
  process.env["VERCEL"] ??= "1";
  const { default: packaged } = await import("@sparticuz/chromium");
  return packaged.executablePath();
}
