// Loads the joined program together with the code that V8 made of it when it was built, which halves what a command costs to start. A Node of
// another version refuses that code, and compiles the program itself.
"use strict";

const { existsSync, readFileSync, statSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { dirname, join } = require("node:path");
const { constants, Script } = require("node:vm");

const WRAPPER = ["(function (exports, require, module, __filename, __dirname) { ", "\n});"];

/** Runs a file of the joined program, and every file of its folder that it asks for. */
exports.loadProgram = function loadProgram(file) {
  const folder = dirname(file);
  const others = createRequire(file);
  const modules = new Map();
  const scripts = new Map();

  function ask(name) {
    return name.startsWith("./") ? load(join(folder, name)) : others(name);
  }
  ask.resolve = others.resolve;

  function load(path) {
    const known = modules.get(path);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(path, module);
    const script = compile(path);
    scripts.set(path, script);
    script.runInThisContext().call(module.exports, module.exports, ask, module, path, folder);
    return module.exports;
  }

  // The build starts the program so, to have what was compiled kept.
  if (process.env.PROCTOR_KEEP_CODE === "1") process.on("exit", () => scripts.forEach(keep));
  load(file);
};

function compile(path) {
  const cachedData = existsSync(kept(path)) ? readFileSync(kept(path)) : undefined;
  return new Script(WRAPPER.join(readFileSync(path, "utf8")), {
    filename: path,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
}

/** Of several commands, the one that used most of a file decides what is kept. */
function keep(script, path) {
  const code = script.createCachedData();
  if (!existsSync(kept(path)) || statSync(kept(path)).size < code.length) writeFileSync(kept(path), code);
}

function kept(path) {
  return `${path}.code`;
}
