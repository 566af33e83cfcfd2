// Which files an agent cannot hand to the tests that judge it: programs they judge with, libraries, and what loaders, shells and
// interpreters read before they do anything. docs/decisions/0017-the-verifier-trusts-the-root.md says where the line is and why.
import { basename, dirname } from "node:path/posix";
import { isJudgingTool } from "./judging-tools.ts";

export interface GuardedPlaces {
  /** Directories of the image's PATH. */
  path: readonly string[];
  workdir: string;
}

/**
 * `yes`: the agent's file is never taken. `changed`: it is not taken where the root has one. `content`: `isHarmful` decides.
 */
export type Guard = "yes" | "changed" | "content" | "no";

const BIN = new Set(
  "/bin /sbin /usr/bin /usr/sbin /usr/local/bin /usr/local/sbin /etc/alternatives".split(" "),
);
const HOME = String.raw`\/(?:root|home\/[^/]+)`;
/** Matches directories that users put before the rest of PATH. */
const HOME_BIN = new RegExp(`^${HOME}/(?:\\.local/bin|bin|\\.cargo/bin)$`);
/** Directories that must not be replaced by a link to another one. */
const HOME_DIRECTORY = new RegExp(`^${HOME}(?:/(?:\\.local(?:/bin|/lib)?|bin|\\.cargo|\\.config))?$`);
const HOME_LOCAL = new RegExp(`^${HOME}/\\.local/`);
const HOME_START = new RegExp(
  `^${HOME}/(?:\\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshenv|zshrc|zprofile|zlogin|pam_environment|curlrc|wgetrc)` +
    `|\\.pip/pip\\.conf|\\.config/(?:pip|uv)(?:/.*)?|\\.cache/(?:pip|uv)(?:/.*)?)$`,
);
const START = new Set(
  "/etc/ld.so.preload /etc/nsswitch.conf /etc/ssl/openssl.cnf /etc/profile /etc/bash.bashrc /etc/bashrc /etc/environment /etc/zshenv /etc/pip.conf /etc/wgetrc /etc/curlrc".split(
    " ",
  ),
);
const START_BELOW = /^\/etc\/(?:profile\.d|zsh|perl|python3[^/]*|uv)(?:\/|$)/;
const LIBRARY =
  /^\/(?:usr\/)?(?:local\/)?lib(?:32|64|x32)?\/(?:.*\/)?(?:[^/]+\.so(?:\.[\d.]+)?|ld-linux[^/]*)$/;
const LOADED =
  /^\/(?:usr\/)?(?:local\/)?lib(?:32|64)?\/(?:.*\/)?(?:gconv|ssl|engines-[^/]+|ossl-modules)(?:\/|$)/;
/** Files of pytest's configuration, which in `/` are read for tests anywhere. */
const PYTEST_CONFIG = new Set(
  "conftest.py pytest.ini .pytest.ini pyproject.toml tox.ini setup.cfg setup.py".split(" "),
);

export const LOADER_CACHE = "/etc/ld.so.cache";

export function guardOf(path: string, type: string, { path: path_, workdir }: GuardedPlaces): Guard {
  const dir = dirname(path);
  const name = basename(path);
  const isBin = (place: string): boolean => BIN.has(place) || path_.includes(place) || HOME_BIN.test(place);
  if (isBin(dir) && isJudgingTool(name)) return "yes";
  if (path === LOADER_CACHE) return "content";
  if (START.has(path) || START_BELOW.test(path) || HOME_START.test(path)) return "yes";
  if (type === "link" && (HOME_DIRECTORY.test(path) || isBin(path))) return "yes";
  if (name === "pyvenv.cfg" && (isBin(dir) || isBin(`${dir}/bin`))) return "yes";
  if (dir === "/" && workdir !== "/" && PYTEST_CONFIG.has(name)) return "yes";
  if (dir === workdir && isPytest(name)) return "yes";
  // Everything in the work directory is the agent's work, even a Python.
  if (workdir !== "/" && path.startsWith(`${workdir}/`)) return "no";
  const python = guardOfPython(path);
  if (python !== "no") return python;
  if (isSitePackage(path)) return "no";
  if (LOADED.test(path)) return "yes";
  return LIBRARY.test(path) ? "changed" : "no";
}

const PYTHON = /^(?<library>.*\/lib(?:64)?\/python3[^/]*)\/(?<rest>.+)$/;
const SITE = /^(?:site|dist)-packages(?:\/(?<inside>.+))?$/;

/** The directory of a Python that a path lies in; undefined for what a user installs, which each Python of the same version reads. */
export function pythonLibrary(path: string): string | undefined {
  const { library = "" } = PYTHON.exec(path)?.groups ?? {};
  return library === "" || HOME_LOCAL.test(library) ? undefined : library;
}

function isSitePackage(path: string): boolean {
  return SITE.test(PYTHON.exec(path)?.groups?.["rest"] ?? "");
}

const CUSTOMIZE = /^(?:__pycache__\/)?(?:site|user)customize(?:\.|\/|$)/;
/** Packages that pytest shares with other programs. */
const SHARED = new Set("packaging attr attrs pygments exceptiongroup tomli py py.py".split(" "));
const ENTRY_POINTS = /^[^/]+\.(?:dist|egg)-info\/entry_points\.txt$/;

function guardOfPython(path: string): Guard {
  const { library = "", rest = "" } = PYTHON.exec(path)?.groups ?? {};
  const site = SITE.exec(rest);
  if (site === null) return library === "" ? "no" : "yes";
  const inside = site.groups?.["inside"] ?? "";
  const [top = ""] = inside.split("/");
  if (CUSTOMIZE.test(inside) || isPytest(top)) return "yes";
  if (SHARED.has(top)) return "changed";
  return /^[^/]+\.pth$/.test(inside) || ENTRY_POINTS.test(inside) ? "content" : "no";
}

function isPytest(name: string): boolean {
  return /^(?:_?pytest|pluggy|iniconfig)(?:\.py|-[^/]*\.(?:dist|egg)-info)?$/.test(name);
}

/** Whether a file with the guard `content`, other than the loader's cache, runs code whenever Python or pytest starts. */
export function isHarmful(path: string, content: string): boolean {
  return path.endsWith(".pth") ? /^import[\s;]/m.test(content) : /^\s*\[pytest11\]/m.test(content);
}
