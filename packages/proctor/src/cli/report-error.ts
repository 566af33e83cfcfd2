// What a user sees when a command cannot go on, and the exit code that goes with it.
import { messageOf } from "../core/message-of.ts";
import { ERRORS, ProctorError } from "../core/errors.ts";
import type { CliIo } from "./cli-io.ts";
import { createPaint } from "./terminal/paint.ts";
import { manyLines } from "./terminal/text.ts";

/** Writes the error to stderr and returns the exit code. */
export function reportError(error: unknown, io: CliIo, json: boolean): number {
  const known = classify(error, io.signal);
  if (json) {
    const { code, message, details } = known;
    const document = {
      error: ERRORS[code].meaning,
      code,
      message,
      ...(details !== undefined && { details }),
    };
    io.stderr.write(`${JSON.stringify(document)}\n`);
    return known.exitCode;
  }
  const paint = createPaint(io.stderr, io.env);
  if (known.code === "INTERRUPTED") {
    io.stderr.write(`${paint.yellow(known.message)}\n`);
    return known.exitCode;
  }
  const [first = "", ...rest] = manyLines(known.message).trimEnd().split("\n");
  io.stderr.write(`${paint.red(`${paint.bold("error:")} ${first}`)} ${paint.dim(`[${known.code}]`)}\n`);
  // A list of problems in a file has its own layout.
  const isList = known.code === "SUITE_INVALID" || known.code === "CONFIG_INVALID";
  for (const line of rest) io.stderr.write(`${isList ? line : `   ${line.trimStart()}`}\n`);
  if (!ProctorError.is(error) && io.env["PROCTOR_DEBUG"] === "1") {
    io.stderr.write(`${paint.dim(error instanceof Error ? (error.stack ?? "") : String(error))}\n`);
  }
  return known.exitCode;
}

function classify(error: unknown, signal: AbortSignal): ProctorError {
  if (ProctorError.is(error)) return error;
  if (signal.aborted && isAbort(error, signal)) return new ProctorError("INTERRUPTED", "interrupted");
  const reason = messageOf(error);
  return new ProctorError(
    "INTERNAL_ERROR",
    `this is a bug in Proctor: ${reason}\nset PROCTOR_DEBUG=1 to see where, and report it with the command you ran`,
    { cause: error },
  );
}

function isAbort(error: unknown, signal: AbortSignal): boolean {
  return error === signal.reason || (error instanceof Error && error.name === "AbortError");
}
