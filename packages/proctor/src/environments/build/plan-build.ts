// Reads the instructions of a Dockerfile in order: which stages there are, what each step is, what the image is like in the end. Looks at
// no file; everything that cannot be done is refused here, with its line, before anything runs.
import { arch } from "node:os";
import { DEFAULT_PATH } from "../default-path.ts";
import { baseImage } from "./base-images.ts";
import type { Instruction, ParsedDockerfile } from "./parse-dockerfile.ts";
import type { BuildPlan, Stage, StageState } from "./plan.ts";
import { planCopy } from "./plan-copy.ts";
import { planRun } from "./plan-run.ts";
import { problem, USE_ANOTHER } from "./problem.ts";
import { BadWord, splitWords, substitute, type Lookup } from "./substitute.ts";
import { absolute } from "./target-path.ts";

export interface PlanOptions {
  args: Readonly<Record<string, string>>;
  network: "none" | "host";
  /** Says whether the root has a program of this name. */
  has: (program: string) => boolean;
}

/** Instructions for engines that start containers, or for people, which a build ignores. */
const WITHOUT_EFFECT = new Set([
  "LABEL",
  "EXPOSE",
  "VOLUME",
  "CMD",
  "HEALTHCHECK",
  "STOPSIGNAL",
  "MAINTAINER",
]);

export function planBuild({ instructions, escape }: ParsedDockerfile, options: PlanOptions): BuildPlan {
  const plan: BuildPlan = { stages: [], needsUsers: false, notes: [] };
  const global: Record<string, string | undefined> = { ...platformArgs() };
  for (const at of instructions) {
    try {
      const stage = plan.stages.at(-1);
      if (at.keyword === "FROM") plan.stages.push(beginStage(at, plan, global, options, escape));
      else if (stage) addInstruction(at, stage, plan, { global, options, escape });
      else if (at.keyword === "ARG") declareArgs(at, global, (name) => global[name], options, {}, escape);
      else
        throw problem(
          at,
          `${at.keyword} stands before FROM`,
          "begin with FROM; only ARG may stand before it",
        );
    } catch (error) {
      if (error instanceof BadWord) throw problem(at, error.message, "correct the line");
      throw error;
    }
  }
  const [first] = instructions;
  if (plan.stages.length === 0 && first) throw problem(first, "there is no FROM", "begin with FROM");
  return plan;
}

interface Reading {
  global: Record<string, string | undefined>;
  options: PlanOptions;
  escape: string;
}

function beginStage(
  at: Instruction,
  { stages, notes }: BuildPlan,
  global: Record<string, string | undefined>,
  { has }: PlanOptions,
  escape: string,
): Stage {
  const words = splitWords(at.text, escape).map((word) => substitute(word, (name) => global[name], escape));
  const [reference = "", as, name] = words;
  if (reference === "") throw problem(at, "FROM names no image", "name one: FROM debian:12");
  if (words.length !== 1 && (words.length !== 3 || as?.toLowerCase() !== "as")) {
    throw problem(at, `FROM ${words.join(" ")} is not understood`, "write FROM <image> [AS <name>]");
  }
  const index = stages.length;
  const parent = stages.find((stage) => stage.name === reference.toLowerCase());
  const own = name === undefined ? {} : { name: name.toLowerCase() };
  if (parent) {
    const { env, workdir, user, shell } = parent.state;
    const state: StageState = { env: { ...env }, args: {}, shell: [...shell] };
    if (workdir !== undefined) state.workdir = workdir;
    if (user !== undefined) state.user = user;
    return { index, ...own, from: at, base: { stage: parent.index }, steps: [], state };
  }
  const answer = baseImage(reference, has);
  if ("refused" in answer) {
    throw problem(
      at,
      `the image ${reference} cannot be had without a registry: ${answer.refused}`,
      USE_ANOTHER,
    );
  }
  const note = `the root stands in for ${reference}`;
  if (!notes.includes(note)) notes.push(note);
  const state: StageState = { env: { ...answer.image.env }, args: {}, shell: ["/bin/sh", "-c"] };
  return { index, ...own, from: at, base: { image: answer.image, reference }, steps: [], state };
}

function addInstruction(at: Instruction, stage: Stage, plan: BuildPlan, reading: Reading): void {
  const { state, steps } = stage;
  const { escape, options, global } = reading;
  const lookup: Lookup = (name) =>
    state.env[name] ?? state.args[name] ?? (name === "PATH" ? DEFAULT_PATH : undefined);
  if (WITHOUT_EFFECT.has(at.keyword)) return;
  switch (at.keyword) {
    case "ARG":
      return declareArgs(at, state.args, lookup, options, global, escape);
    case "ENV":
      return setEnv(at, state, lookup, escape);
    case "SHELL":
      if (!at.list || at.list.length === 0)
        throw problem(at, "SHELL takes a list", 'write SHELL ["/bin/bash", "-c"]');
      state.shell = at.list;
      return;
    case "WORKDIR": {
      const path = substitute(at.text, lookup, escape);
      if (path === "") throw problem(at, "WORKDIR names no directory", "name one: WORKDIR /app");
      state.workdir = absolute(path, state.workdir ?? "/");
      steps.push({ kind: "workdir", at, path: state.workdir });
      return;
    }
    case "USER": {
      const user = substitute(at.text, lookup, escape);
      if (user === "") throw problem(at, "USER names nobody", "name a user: USER agent");
      if (isRoot(user)) delete state.user;
      else {
        state.user = user;
        plan.needsUsers = true;
      }
      return;
    }
    case "RUN": {
      const { step, needsUsers } = planRun(at, state, { network: options.network, notes: plan.notes });
      steps.push(step);
      plan.needsUsers ||= needsUsers;
      return;
    }
    case "COPY":
    case "ADD": {
      const step = planCopy(at, state.workdir ?? "/", plan.stages, lookup, escape);
      steps.push(step);
      plan.needsUsers ||= step.owner !== undefined && !isRoot(step.owner);
      return;
    }
    case "ENTRYPOINT":
      plan.notes.push(`${at.file}:${at.line}: ENTRYPOINT is not run`);
      return;
    default:
      throw problem(at, `${at.keyword} is not supported here`, USE_ANOTHER);
  }
}

function isRoot(user: string): boolean {
  return /^(?:root|0)(?::(?:root|0))?$/u.test(user);
}

/** Declares arguments. The caller's value overrides the file's; one from before the first FROM applies where the stage names it again. */
function declareArgs(
  at: Instruction,
  args: Record<string, string | undefined>,
  lookup: Lookup,
  options: PlanOptions,
  global: Readonly<Record<string, string | undefined>>,
  escape: string,
): void {
  for (const word of splitWords(at.text, escape)) {
    const [name = "", ...rest] = word.split("=");
    if (!/^[A-Za-z_]\w*$/u.test(name))
      throw problem(at, `ARG ${word}: that is no name`, "write ARG NAME=value");
    const own = rest.length > 0 ? substitute(rest.join("="), lookup, escape) : undefined;
    args[name] = options.args[name] ?? own ?? global[name];
  }
}

/** Sets variables. All values of one ENV see the variables from before it. */
function setEnv(at: Instruction, state: StageState, lookup: Lookup, escape: string): void {
  const words = splitWords(at.text, escape);
  const [first = ""] = words;
  if (!first.includes("=")) {
    const [, name = "", value = ""] = /^(\S+)\s+([\s\S]+)$/u.exec(at.text) ?? [];
    if (name === "") throw problem(at, "ENV gives no value", "write ENV NAME=value");
    state.env[name] = substitute(value, lookup, escape);
    return;
  }
  const values = words.map((word): [string, string] => {
    const split = word.indexOf("=");
    if (split <= 0)
      throw problem(at, `ENV ${word} gives no value`, "write ENV NAME=value, values with blanks in quotes");
    return [
      substitute(word.slice(0, split), lookup, escape),
      substitute(word.slice(split + 1), lookup, escape),
    ];
  });
  Object.assign(state.env, Object.fromEntries(values));
}

/** Returns the arguments in which BuildKit describes the machine. */
function platformArgs(): Record<string, string> {
  const machine = arch() === "x64" ? "amd64" : arch();
  const platform = `linux/${machine}`;
  return {
    TARGETPLATFORM: platform,
    TARGETOS: "linux",
    TARGETARCH: machine,
    BUILDPLATFORM: platform,
    BUILDOS: "linux",
    BUILDARCH: machine,
  };
}
