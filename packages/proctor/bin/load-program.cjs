// Loads the joined program together with the code that V8 made of it when it was built, which saves two fifths of what a command costs to start. A Node of
// another version refuses that code, and compiles the program itself.
"use strict";

const { existsSync, readFileSync, statSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const path = require("node:path");
const { constants, Script } = require("node:vm");

const WRAPPER = ["(function (exports, require, module, __filename, __dirname) { ", "\n});"];

/** Runs a file of the joined program, and every file of its folder that it asks for. Returns the `require` of that program. */
exports.loadProgram = function loadProgram(file) {
  const folder = path.dirname(file);
  const others = createRequire(file);
  const modules = new Map();
  const scripts = new Map();

  function ask(name) {
    return name.startsWith("./") ? load(path.join(folder, name)) : others(name);
  }
  ask.resolve = others.resolve;

  function load(place) {
    const known = modules.get(place);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(place, module);
    const script = compile(place);
    scripts.set(place, script);
    script.runInThisContext().call(module.exports, module.exports, ask, module, place, folder);
    return module.exports;
  }

  // The build starts the program so, to have what was compiled kept.
  if (process.env.PROCTOR_KEEP_CODE === "1") process.on("exit", () => scripts.forEach(keep));
  load(file);
  return ask;
};

// What the program loads on demand with `import()` makes Node 20 warn of this once: nothing that a user could change.
const emitWarning = process.emitWarning.bind(process);
process.emitWarning = (warning, ...rest) => {
  if (!String(warning).includes("vm.USE_MAIN_CONTEXT_DEFAULT_LOADER")) emitWarning(warning, ...rest);
};

function compile(place) {
  const cachedData = existsSync(kept(place)) ? readFileSync(kept(place)) : undefined;
  return new Script(WRAPPER.join(readFileSync(place, "utf8")), {
    filename: place,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
}

/** Of several commands, the one that used most of a file decides what is kept. */
function keep(script, place) {
  const code = script.createCachedData();
  if (!existsSync(kept(place)) || statSync(kept(place)).size < code.length) writeFileSync(kept(place), code);
}

function kept(place) {
  return `${place}.code`;
}
