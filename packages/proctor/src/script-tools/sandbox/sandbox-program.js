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

/** Makes a line of what is logged. Compiled when a script logs something: compiling costs more than most scripts. */
const FORMAT = `(...values) => {
  const show = (value) => {
    if (typeof value === "string") return value;
    try { return (typeof value === "object" && JSON.stringify(value)) || String(value); } catch { return "(cannot be shown)"; }
  };
  return values.map(show).join(" ");
}`;

/** Describes what a script threw. */
const DESCRIBE = `(thrown) => {
  if (typeof thrown !== "object" || thrown === null || !("message" in thrown)) {
    return "it threw " + (typeof thrown === "object" ? JSON.stringify(thrown) : String(thrown));
  }
  const place = /${FILE}:\\d+(?::\\d+)?/.exec(String(thrown.stack))?.[0];
  return (place === undefined ? "" : place + ": ") + String(thrown.name) + ": " + String(thrown.message);
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
    runtime.setInterruptHandler(isStopped);
    context = runtime.newContext();
    result = { ok: true, output: carryOut(context, job, log), log: log.lines, heapBytes: 0 };
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

/** Returns the output as JSON; of a job without an input, only whether the script can be called. @type {(context: QuickJSContext, job: SandboxJob, log: ReturnType<typeof createLog>) => string} */
function carryOut(context, { source, input, outputBytes, memoryBytes }, log) {
  /** @type {QuickJSHandle[]} */
  const handles = [];
  /** @type {(handle: QuickJSHandle) => QuickJSHandle} */
  const keep = (handle) => {
    handles.push(handle);
    return handle;
  };
  /** Functions of ours by their code. @type {Map<string, QuickJSHandle>} */
  const ours = new Map();
  const property = (/** @type {QuickJSHandle} */ object, /** @type {string} */ name) =>
    keep(context.getProp(object, name));

  /** @type {(result: { value: QuickJSHandle, error?: undefined } | { error: QuickJSHandle }, code?: Code) => QuickJSHandle} */
  function valueOf(result, code = "SCRIPT_FAILED") {
    if (result.error === undefined) return keep(result.value);
    throw failure(keep(result.error), code);
  }

  /** What a function of ours says about values of the script's; empty when that fails. @type {(code: string, values: QuickJSHandle[]) => string} */
  function tell(code, values) {
    let told = ours.get(code);
    if (told === undefined) {
      const made = context.evalCode(code, "sandbox.js");
      told = keep(made.error ?? made.value);
      if (made.error) return "";
      ours.set(code, told);
    }
    const result = context.callFunction(told, context.undefined, ...values);
    const text = result.error ?? result.value;
    try {
      return result.error === undefined && context.typeof(text) === "string" ? shortened(text) : "";
    } finally {
      text.dispose();
    }
  }

  /** @type {(thrown: QuickJSHandle, code: Code) => Failed} */
  function failure(thrown, code) {
    if (isStopped()) return new Failed("TOO_SLOW", "");
    context.runtime.setMemoryLimit(memoryBytes + LAST_WORDS_BYTES);
    const message = tell(DESCRIBE, [thrown]) || "it threw something that cannot be shown";
    if (isStopped()) return new Failed("TOO_SLOW", "");
    const isFull = /InternalError: (?:out of memory|string too long)|BigInt is too large/.test(message);
    return new Failed(isFull ? "TOO_MUCH_MEMORY" : code, message);
  }

  /** @type {(handle: QuickJSHandle) => string} */
  function shortened(handle) {
    const length = lengthOf(handle);
    // A text of megabytes is not worth the copy.
    return length > MAX_MESSAGE_CHARS * 100
      ? `(${length} characters)`
      : context.getString(handle).slice(0, MAX_MESSAGE_CHARS);
  }

  /** @type {(handle: QuickJSHandle) => number} */
  function lengthOf(handle) {
    // A text that did not fit is no value at all.
    if (context.typeof(handle) !== "string") throw new Failed("TOO_MUCH_MEMORY", "out of memory");
    const length = context.getProp(handle, "length");
    const chars = context.getNumber(length);
    length.dispose();
    return chars;
  }

  /** Runs what promises wait for. @type {(handle: QuickJSHandle) => QuickJSHandle} */
  function settled(handle) {
    for (;;) {
      const state = context.getPromiseState(handle);
      if (state.type === "fulfilled") return state.notAPromise ? handle : keep(state.value);
      if (state.type === "rejected") throw failure(keep(state.error), "SCRIPT_FAILED");
      const done = context.runtime.executePendingJobs(JOBS_AT_ONCE);
      if (done.error) throw failure(keep(done.error), "SCRIPT_FAILED");
      if (isStopped()) throw new Failed("TOO_SLOW", "");
      if (done.value === 0) {
        throw new Failed("SCRIPT_FAILED", "its promise never settles: nothing is left that could settle it");
      }
    }
  }

  function makeConsole() {
    const write = keep(
      context.newFunction("log", (...values) => {
        // A script that does little else is asked here whether it may go on.
        if (isStopped()) throw new Error("stopped");
        if (!log.isFull()) log.add(tell(FORMAT, values));
      }),
    );
    const made = keep(context.newObject());
    for (const name of ["log", "info", "warn", "error", "debug"]) context.setProp(made, name, write);
    context.setProp(context.global, "console", made);
  }

  /** A script that exports something is a module; any other one has its functions as globals. @returns {QuickJSHandle} */
  function load() {
    if (!isModule()) {
      valueOf(context.evalCode(source, FILE));
      return valueOf(context.evalCode('typeof run === "function" ? run : undefined', "find.js"));
    }
    const exports = settled(valueOf(context.evalCode(source, FILE, { type: "module" })));
    const byDefault = property(exports, "default");
    return context.typeof(byDefault) === "function" ? byDefault : property(exports, "run");
  }

  function isModule() {
    if (!/\bexport\b/.test(source)) return false;
    const { error, value } = /** @type {{ error?: QuickJSHandle, value?: QuickJSHandle }} */ (
      context.evalCode(source, FILE, { compileOnly: true })
    );
    keep(error ?? value ?? context.undefined);
    return error !== undefined;
  }

  try {
    // Taken before the script runs, so that nothing it changes has a part in what follows.
    const json = property(context.global, "JSON");
    const [parse, stringify] = [property(json, "parse"), property(json, "stringify")];
    const promise = property(context.global, "Promise");
    const resolve = property(promise, "resolve");
    makeConsole();
    const run = load();
    if (context.typeof(run) !== "function") {
      throw new Failed(
        "SCRIPT_FAILED",
        "it defines no function: write `function run(input) { … }`, or export one as default",
      );
    }
    if (input === undefined) return "null";
    const text = keep(context.newString(input));
    lengthOf(text);
    const given = valueOf(context.callFunction(parse, json, text));
    const returned = valueOf(context.callFunction(run, context.undefined, given));
    const value = settled(valueOf(context.callFunction(resolve, promise, returned)));
    const encoded = valueOf(context.callFunction(stringify, json, value), "INVALID_OUTPUT");
    if (isStopped()) throw new Failed("TOO_SLOW", "");
    // A function, and nothing at all, have no JSON.
    if (context.typeof(encoded) === "undefined") return "null";
    if (lengthOf(encoded) > outputBytes) throw new Failed("TOO_MUCH_OUTPUT", "");
    const output = context.getString(encoded);
    if (Buffer.byteLength(output) > outputBytes) throw new Failed("TOO_MUCH_OUTPUT", "");
    return output;
  } finally {
    for (const handle of handles) if (handle.alive) handle.dispose();
  }
}

function isStopped() {
  return Atomics.load(stop, 0) === 1;
}

function createLog() {
  /** @type {string[]} */
  const lines = [];
  let chars = 0;
  const isFull = () => lines.length > MAX_LOG_LINES || chars > MAX_LOG_CHARS;
  /** @type {(line: string) => void} */
  function add(line) {
    chars += line.length + 1;
    lines.push(
      lines.length === MAX_LOG_LINES || chars > MAX_LOG_CHARS ? "… more was logged, and is not kept" : line,
    );
  }
  return { lines, add, isFull };
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
