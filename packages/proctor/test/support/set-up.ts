// Runs before every test file, even where several share a worker.
import { afterAll, afterEach } from "vitest";
import { closeFile, closeTest } from "./closing.ts";

afterEach(closeTest);
afterAll(closeFile);
