// Every promise of the Store port, for any implementation: a store is done when it passes these.
import { afterEach, beforeEach, describe } from "vitest";
import type { Store } from "../core/ports/store.ts";
import { claimCases } from "./cases/claim.case.ts";
import { createCases } from "./cases/create.case.ts";
import type { OpenedStore } from "../../test/support/stores/fixtures.ts";
import { evaluationCases } from "./cases/evaluations.case.ts";
import { feedCases } from "./cases/feed.case.ts";
import { foldCases } from "./cases/fold.case.ts";
import { gatewayIdCases } from "./cases/gateway-ids.case.ts";
import { listCases } from "./cases/list.case.ts";
import { logCases } from "./cases/log.case.ts";
import { messageCases } from "./cases/messages.case.ts";
import { modelCases } from "./cases/model.case.ts";
import { parkCases } from "./cases/park.case.ts";
import { registryStoreCases } from "./cases/registry.case.ts";
import { removeCases } from "./cases/remove.case.ts";
import { savedCases } from "./cases/saved.case.ts";
import { scriptToolCases } from "./cases/script-tools.case.ts";
import { sharedCases } from "./cases/shared.case.ts";
import { talkCases } from "./cases/talk.case.ts";
import { tokenCases } from "./cases/tokens.case.ts";
import { doubleCases } from "./cases/doubles.case.ts";
import { workerCases } from "./cases/workers.case.ts";
import { watchCases } from "./cases/watch.case.ts";

/** `open` makes a new, empty store each time. */
export function storeCases(name: string, open: () => Promise<OpenedStore>): void {
  let opened: OpenedStore | undefined;

  function current(): OpenedStore {
    if (opened === undefined) throw new Error("no store is open");
    return opened;
  }

  const use = (): Store => current().store;
  const reopen = (): Promise<Store> => current().reopen();

  describe(name, () => {
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(async () => {
      await opened?.close();
      opened = undefined;
    });

    describe("log", () => logCases(use, reopen));
    describe("create", () => createCases(use, reopen));
    describe("claim", () => claimCases(use));
    describe("list", () => listCases(use, reopen));
    describe("remove", () => removeCases(use, reopen));
    describe("watch", () => watchCases(use));
    describe("talk", () => talkCases(use, reopen));
    describe("park", () => parkCases(use, reopen));
    describe("model", () => modelCases(use, reopen));
    describe("feed", () => feedCases(use, reopen));
    describe("evaluations", () => evaluationCases(use, reopen));
    describe("fold", () => foldCases(use, reopen));
    describe("artifacts beside runs", () => savedCases(use, reopen));
    describe("tokens", () => tokenCases(use, reopen));
    describe("ids of a gateway", () => gatewayIdCases(use, reopen));
    describe("script tools", () => scriptToolCases(use, reopen));
    describe("envelopes", () => messageCases(use, reopen));
    describe("what processes share", () => sharedCases(use, reopen));
    describe("workers", () => workerCases(use, reopen));
    describe("doubles", () => doubleCases(use, reopen));
    describe("registry", () => registryStoreCases(use, reopen));
  });
}
