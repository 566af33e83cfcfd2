// Runs before every test file, even where several share a worker.
import { afterAll, afterEach } from "vitest";
import { closeFile, closeTest } from "./closing.ts";
import { noteCpu } from "./measure-cpu.ts";
import "./no-bare-patterns.ts";
import { refuseOtherEnvironment } from "./same-environment.ts";

afterEach(closeTest);
afterAll(refuseOtherEnvironment);
// Hooks run in reverse order, so this one comes last: it counts what closing costs, too.
afterAll(noteCpu);
afterAll(closeFile);
