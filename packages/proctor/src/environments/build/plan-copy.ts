// COPY and ADD: from where, to where, whose, and with which permissions.
import type { Instruction } from "./parse-dockerfile.ts";
import type { CopyStep, Stage } from "./plan.ts";
import { problem, USE_ANOTHER } from "./problem.ts";
import { splitWords, substitute, type Lookup } from "./substitute.ts";
import { absoluteTarget } from "./target-path.ts";

/** Flags that do not change the resulting files. */
const HARMLESS = new Set(["link", "keep-git-dir"]);

export function planCopy(
  at: Instruction,
  workdir: string,
  stages: readonly Stage[],
  lookup: Lookup,
  escape: string,
): CopyStep {
  const read = (word: string): string => substitute(word, lookup, escape);
  const words = (at.list ?? splitWords(at.text, escape)).map((word) =>
    word.startsWith("<<") ? word : read(word),
  );
  const target = words.at(-1);
  const sources = words.slice(0, -1).filter((word) => !word.startsWith("<<"));
  if (target === undefined || words.length < 2) {
    throw problem(at, `${at.keyword} needs a source and a target`, `write ${at.keyword} <source> <target>`);
  }
  const several = words.length > 2;
  if (several && !/(?:\/|^\.{1,2})$/u.test(target)) {
    throw problem(
      at,
      `${at.keyword} of several sources to ${target}, which is no directory`,
      "end the target with /",
    );
  }
  const remote = sources.find((source) => /^(?:https?|git|ssh):\/\/|^git@/u.test(source));
  if (remote !== undefined) {
    throw problem(
      at,
      `${at.keyword} of ${remote} needs a network`,
      `put the file into the context; or ${USE_ANOTHER}`,
    );
  }
  const step: CopyStep = {
    kind: "copy",
    at,
    sources,
    inline: at.heredocs.map((heredoc) => ({
      ...heredoc,
      content: heredoc.expand ? expandLines(heredoc.content, lookup) : heredoc.content,
    })),
    target: absoluteTarget(target, workdir),
    unpack: at.keyword === "ADD",
  };
  for (const { name, value } of at.flags) {
    if (name === "chown") step.owner = read(value);
    else if (name === "chmod") step.mode = readMode(at, read(value));
    else if (name === "from" && at.keyword === "COPY") step.from = readFrom(at, read(value), stages);
    else if (!HARMLESS.has(name))
      throw problem(at, `${at.keyword} --${name} is not supported here`, USE_ANOTHER);
  }
  return step;
}

function readMode(at: Instruction, value: string): number {
  if (!/^[0-7]{3,4}$/u.test(value))
    throw problem(at, `--chmod=${value}: that is no octal mode`, "write --chmod=755");
  return Number.parseInt(value, 8);
}

function readFrom(at: Instruction, value: string, stages: readonly Stage[]): NonNullable<CopyStep["from"]> {
  // The last stage is the one that is being read.
  const before = stages.slice(0, -1);
  const stage = before.find(({ name, index }) => name === value.toLowerCase() || String(index) === value);
  if (stage) return { stage: stage.index };
  if (/^(?:ghcr\.io\/)?astral-sh\/uv(?:[:@]|$)/u.test(value)) return { tool: "uv" };
  throw problem(at, `COPY --from=${value}: there is no such stage, and no registry here`, USE_ANOTHER);
}

/** Replaces variables in a here-document, where quotes have no meaning. */
function expandLines(content: string, lookup: Lookup): string {
  return content.replaceAll(
    /\\\$|\$(?:\{(\w+)\}|([A-Za-z_]\w*))/gu,
    (whole, braced?: string, plain?: string) =>
      whole.startsWith("\\") ? "$" : (lookup(braced ?? plain ?? "") ?? ""),
  );
}
