// A platform for tests that never ask for one.
import type { Platform } from "../../src/core/ports/platform.ts";

// Whoever asks for a part of it fails, and says where.
export const noPlatform = {} as Platform;
