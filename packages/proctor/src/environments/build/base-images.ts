// Which base images the root stands in for, and what it must have for each. The one place to add another.
import { DEFAULT_PATH } from "../default-path.ts";

export interface BaseImage {
  /** Name of the image in FAMILIES. */
  family: string;
  /** Programs that the root must have. */
  needs: readonly string[];
  /** Variables of the image. */
  env: Readonly<Record<string, string>>;
}

type BaseAnswer = { image: BaseImage } | { refused: string };

/** Programs that each base image needs: Debian-like images are the root itself; the others are Debian with one more program. */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  debian: [],
  ubuntu: [],
  "buildpack-deps": ["gcc", "make"],
  python: ["python3"],
  node: ["node"],
  golang: ["go"],
  rust: ["rustc", "cargo"],
  gcc: ["gcc", "g++"],
  ruby: ["ruby"],
  perl: ["perl"],
  php: ["php"],
  openjdk: ["java"],
  "eclipse-temurin": ["java"],
  "r-base": ["R"],
  julia: ["julia"],
  haskell: ["ghc"],
  swift: ["swift"],
  erlang: ["erl"],
  elixir: ["elixir"],
  nginx: ["nginx"],
  httpd: ["apache2"],
  redis: ["redis-server"],
  postgres: ["psql"],
};

const ENV: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  python: { LANG: "C.UTF-8" },
  golang: { GOPATH: "/go", PATH: `/go/bin:/usr/local/go/bin:${DEFAULT_PATH}` },
  rust: { PATH: `/usr/local/cargo/bin:${DEFAULT_PATH}` },
};

/** Returns the base image of a reference; `has` says whether the root has a program of this name. */
export function baseImage(reference: string, has: (program: string) => boolean): BaseAnswer {
  const { name, tag } = splitReference(reference);
  if (name === "scratch")
    return { refused: "scratch is an empty file system, and there is always a root here" };
  if (/alpine/u.test(`${name}:${tag}`))
    return { refused: "Alpine has other packages and another C library than the root" };
  if (/windows|nanoserver/u.test(`${name}:${tag}`)) return { refused: "it is a Windows image" };
  // Images that are derived from these have names such as ubuntu-24-04 and python-3-13.
  const family = Object.hasOwn(FAMILIES, name) ? name : name.replace(/(-\d+)+$/u, "");
  if (!Object.hasOwn(FAMILIES, family))
    return { refused: "it is not known what the root would need to stand in for it" };
  const needs = FAMILIES[family] ?? [];
  const missing = needs.filter((program) => !has(program));
  if (missing.length > 0) return { refused: `the root has no ${missing.join(" and no ")}` };
  return { image: { family, needs, env: ENV[family] ?? {} } };
}

function splitReference(reference: string): { name: string; tag: string } {
  const [path = ""] = reference.split("@");
  const last = path.split("/").at(-1) ?? "";
  const [name = "", tag = "latest"] = last.split(":");
  return { name: name.toLowerCase(), tag };
}
