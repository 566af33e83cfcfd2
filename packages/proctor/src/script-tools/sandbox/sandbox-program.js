// @ts-check
// The program inside a worker that runs scripts in QuickJS, which is WebAssembly: a script has no way to Node. It is JavaScript itself,
// because a worker starts from a file, and no Node that we support starts one from TypeScript; the build copies it.
// Each job gets a runtime and a context of its own, so that nothing survives a call. Only text crosses the border, and its length is looked at
// first: JSON goes in, JSON comes out, and whatever the script threw is described by code inside.
import { readlinkSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { newQuickJSWASMModuleFromVariant } from "quickjs-emscripten-core";

/** @import { QuickJSContext, QuickJSHandle, QuickJSRuntime } from "quickjs-emscripten-core" */
/** @import { SandboxAnswer, SandboxJob } from "./sandbox-worker.ts" */
/** @typedef {"SCRIPT_FAILED" | "INVALID_OUTPUT" | "TOO_SLOW" | "TOO_MUCH_MEMORY" | "TOO_MUCH_OUTPUT"} Code */

const FILE = "script.js";
const STACK_BYTES = 256 * 1024;
const MAX_LOG_LINES = 1000;
const MAX_LOG_CHARS = 64 * 1024;
const MAX_MESSAGE_CHARS = 2000;
/** So much more memory, in bytes, is there to say that there was too little of it. */
const LAST_WORDS_BYTES = 256 * 1024;
/** So many jobs of promises run before the time is looked at again. */
const JOBS_AT_ONCE = 1000;

/** Runs before the script, so that nothing the script changes is part of it. */
const PRELUDE = `(emit) => {
  const { parse, stringify } = JSON, text = String;
  const show = (value) => {
    if (typeof value === "string") return value;
    try { return (typeof value === "object" && stringify(value)) || text(value); } catch { return "(cannot be shown)"; }
  };
  const log = (...values) => {
    let line = "";
    for (let index = 0; index < values.length; index++) line += (index === 0 ? "" : " ") + show(values[index]);
    emit(line);
  };
  globalThis.console = { log, info: log, warn: log, error: log, debug: log };
  return {
    start: async (run, input) => run(parse(input)),
    encode: (value) => stringify(value) ?? "null",
    describe: (thrown) => {
      if (typeof thrown !== "object" || thrown === null || !("message" in thrown)) return "it threw " + show(thrown);
      const place = /${FILE}:\\d+(?::\\d+)?/.exec(text(thrown.stack))?.[0];
      return (place === undefined ? "" : place + ": ") + text(thrown.name) + ": " + text(thrown.message);
    },
  };
}`;

if (parentPort === null) throw new Error("this program runs in a worker");
const port = parentPort;
/** Set to 1 by the other thread when the job has used up its time. @type {Int32Array} */
const stop = workerData.stop;
const quickjs = await newQuickJSWASMModuleFromVariant(import("@jitl/quickjs-wasmfile-release-sync"));

/** Ends the work on a script with an answer. */
class Failed extends Error {
  /** @type {Code} */ code;
  /** @param {Code} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** @type {(job: SandboxJob) => SandboxAnswer} */
function answer(job) {
  const log = createLog();
  /** @type {QuickJSRuntime | undefined} */
  let runtime;
  /** @type {QuickJSContext | undefined} */
  let context;
  /** @type {SandboxAnswer} */
  let result;
  try {
    runtime = quickjs.newRuntime();
    runtime.setMemoryLimit(job.memoryBytes);
    runtime.setMaxStackSize(STACK_BYTES);
    runtime.setInterruptHandler(() => Atomics.load(stop, 0) === 1);
    context = runtime.newContext();
    result = { ok: true, output: carryOut(context, job, log.add), log: log.lines, heapBytes: 0 };
  } catch (error) {
    const failed = error instanceof Failed ? error : undefined;
    result = {
      ok: false,
      code: failed?.code ?? "SCRIPT_FAILED",
      message: failed?.message ?? "the script broke its sandbox, which was replaced",
      log: log.lines,
      heapBytes: 0,
      // The state of the module is unknown after any other error, such as an overflow of this thread's own stack.
      ...(failed === undefined && { broken: true }),
    };
  }
  try {
    context?.dispose();
    runtime?.dispose();
  } catch {
    // What was left in it cannot be counted; another module has nothing of it.
    result = { ...result, broken: true };
  }
  return { ...result, heapBytes: quickjs.getWasmMemory().buffer.byteLength };
}

/** Returns the output as JSON; of a job without an input, only whether the script can be called. @type {(context: QuickJSContext, job: SandboxJob, addLine: (line: string) => void) => string} */
function carryOut(context, { source, input, outputBytes, memoryBytes }, addLine) {
  /** @type {QuickJSHandle[]} */
  const handles = [];
  /** @type {(handle: QuickJSHandle) => QuickJSHandle} */
  const keep = (handle) => {
    handles.push(handle);
    return handle;
  };

  /** @type {(result: { value: QuickJSHandle, error?: undefined } | { error: QuickJSHandle }, code?: Code) => QuickJSHandle} */
  function valueOf(result, code = "SCRIPT_FAILED") {
    if (result.error === undefined) return keep(result.value);
    throw failure(keep(result.error), code);
  }

  /** @type {(thrown: QuickJSHandle, code: Code) => Failed} */
  function failure(thrown, code) {
    if (Atomics.load(stop, 0) === 1) return new Failed("TOO_SLOW", "");
    context.runtime.setMemoryLimit(memoryBytes + LAST_WORDS_BYTES);
    const told = describe && context.callFunction(describe, context.undefined, thrown);
    const words =
      told === undefined || told.error !== undefined ? "" : textOf(keep(told.value), MAX_MESSAGE_CHARS);
    if (told?.error) keep(told.error);
    if (Atomics.load(stop, 0) === 1) return new Failed("TOO_SLOW", "");
    const message = words === "" ? "it threw something that cannot be shown" : words;
    const isFull = /InternalError: (?:out of memory|string too long)|BigInt is too large/.test(message);
    return new Failed(isFull ? "TOO_MUCH_MEMORY" : code, message);
  }

  /** Cut where it is too long. @type {(handle: QuickJSHandle, maxChars: number) => string} */
  function textOf(handle, maxChars) {
    const { length } = measured(handle);
    return length > maxChars * 100 ? `(${length} characters)` : context.getString(handle).slice(0, maxChars);
  }

  /** @type {(handle: QuickJSHandle) => { length: number }} */
  function measured(handle) {
    const type = context.typeof(handle);
    // A text that did not fit is no value at all.
    if (type !== "string") throw new Failed("TOO_MUCH_MEMORY", "out of memory");
    return { length: context.getNumber(keep(context.getProp(handle, "length"))) };
  }

  /** Runs what promises wait for. @type {(handle: QuickJSHandle) => QuickJSHandle} */
  function settled(handle) {
    for (;;) {
      const state = context.getPromiseState(handle);
      if (state.type === "fulfilled") return state.notAPromise ? handle : keep(state.value);
      if (state.type === "rejected") throw failure(keep(state.error), "SCRIPT_FAILED");
      const done = context.runtime.executePendingJobs(JOBS_AT_ONCE);
      if (done.error) throw failure(keep(done.error), "SCRIPT_FAILED");
      if (Atomics.load(stop, 0) === 1) throw new Failed("TOO_SLOW", "");
      if (done.value === 0)
        throw new Failed("SCRIPT_FAILED", "its promise never settles: nothing is left that could settle it");
    }
  }

  /** @type {QuickJSHandle | undefined} */
  let describe;
  try {
    const emit = keep(
      context.newFunction("emit", (line) => {
        addLine(textOf(line, MAX_MESSAGE_CHARS));
      }),
    );
    const prelude = valueOf(context.evalCode(PRELUDE, "prelude.js"));
    const inside = valueOf(context.callFunction(prelude, context.undefined, emit));
    describe = keep(context.getProp(inside, "describe"));
    const run = load();
    if (context.typeof(run) !== "function") {
      throw new Failed(
        "SCRIPT_FAILED",
        "it defines no function: write `function run(input) { … }`, or export one as default",
      );
    }
    if (input === undefined) return "null";
    const given = keep(context.newString(input));
    measured(given);
    const start = keep(context.getProp(inside, "start"));
    const returned = settled(valueOf(context.callFunction(start, context.undefined, run, given)));
    const encode = keep(context.getProp(inside, "encode"));
    const encoded = valueOf(context.callFunction(encode, context.undefined, returned), "INVALID_OUTPUT");
    if (measured(encoded).length > outputBytes) throw new Failed("TOO_MUCH_OUTPUT", "");
    const text = context.getString(encoded);
    if (Buffer.byteLength(text) > outputBytes) throw new Failed("TOO_MUCH_OUTPUT", "");
    return text;
  } finally {
    for (const handle of handles) if (handle.alive) handle.dispose();
  }

  /** A script that exports something is a module; any other one has its functions as globals. @returns {QuickJSHandle} */
  function load() {
    if (!isModule()) {
      valueOf(context.evalCode(source, FILE));
      return valueOf(context.evalCode('typeof run === "function" ? run : undefined', "find.js"));
    }
    const exports = settled(valueOf(context.evalCode(source, FILE, { type: "module" })));
    const byDefault = keep(context.getProp(exports, "default"));
    return context.typeof(byDefault) === "function" ? byDefault : keep(context.getProp(exports, "run"));
  }

  function isModule() {
    if (!/\bexport\b/.test(source)) return false;
    const { error, value } = /** @type {{ error?: QuickJSHandle, value?: QuickJSHandle }} */ (
      context.evalCode(source, FILE, { compileOnly: true })
    );
    keep(error ?? value ?? context.undefined);
    return error !== undefined;
  }
}

function createLog() {
  /** @type {string[]} */
  const lines = [];
  let chars = 0;
  /** @type {(line: string) => void} */
  function add(line) {
    if (lines.length > MAX_LOG_LINES || chars > MAX_LOG_CHARS) return;
    chars += line.length + 1;
    lines.push(
      lines.length === MAX_LOG_LINES || chars > MAX_LOG_CHARS ? "… more was logged, and is not kept" : line,
    );
  }
  return { lines, add };
}

/** @type {(message: object) => void} */
function send(message) {
  // A thread has no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  port.postMessage(message);
}

/** The number by which Linux knows this thread. */
function threadNumber() {
  try {
    return Number(readlinkSync("/proc/thread-self").split("/").at(-1));
  } catch {
    return undefined;
  }
}

port.on("message", (/** @type {SandboxJob} */ job) => send(answer(job)));
send({ thread: threadNumber() });
