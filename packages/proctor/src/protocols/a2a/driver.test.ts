// The shared cases of drivers, over both bindings that carry JSON.
import { A2A_WORDS, a2aStage } from "../../../test/support/a2a/stage.ts";
import { describeDriver } from "../protocol.case.ts";

describeDriver(a2aStage("JSONRPC"), A2A_WORDS);
describeDriver(a2aStage("HTTP+JSON"), A2A_WORDS);
