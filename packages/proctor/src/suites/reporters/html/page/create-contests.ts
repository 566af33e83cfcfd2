// Tests with several agents against each other: who did best, by which measure.
import type { Contest } from "../../../contest.ts";
import type { Child, Dom } from "./create-dom.ts";
import type { Format } from "./create-format.ts";

export type Contests = ReturnType<typeof createContests>;

export function createContests(contests: readonly Contest[], dom: Dom, format: Format) {
  const { h } = dom;
  const step = 20;

  function one({ suite, test_id, metrics, agents, winner, reason }: Contest): Child {
    const columns: Record<
      Contest["metrics"][number],
      [string, (agent: Contest["agents"][number]) => string]
    > = {
      quality: ["Quality", ({ quality }) => format.score(quality)],
      speed: ["Speed", ({ speed_ms }) => format.duration(speed_ms)],
      cost: ["Cost", ({ cost_usd }) => format.money(cost_usd)],
    };
    const rows = agents.map((agent): Child[] => [
      agent.agent === winner
        ? [h("b", {}, agent.agent), " ", h("span", { class: "winner" }, "winner")]
        : agent.agent,
      ...metrics.map((metric) => columns[metric][1](agent)),
    ]);
    return h(
      "section",
      { class: "panel contest" },
      h("h3", {}, test_id, h("span", { class: "quiet" }, ` ${suite}`)),
      h("p", {}, winner === null ? "No winner" : [h("b", {}, winner), " did best"], `: ${reason}`),
      dom.table(`Agents at ${test_id}`, ["Agent", ...metrics.map((metric) => columns[metric][0])], rows),
    );
  }

  function wins(): Child {
    const count = new Map<string, number>();
    for (const { winner } of contests) if (winner !== null) count.set(winner, (count.get(winner) ?? 0) + 1);
    const text = [...count].sort(([, a], [, b]) => b - a).map(([agent, won]) => `${agent} won ${won}`);
    return h("p", { class: "about" }, `${format.plural(contests.length, "contest")}. ${text.join(", ")}`);
  }

  function render(): Child {
    const items = contests.map((contest) => () => h("div", {}, one(contest)));
    const list = dom.growing(h("div", { class: "panels" }), items, step);
    return [h("h2", { class: "hidden" }, "Contests"), wins(), list];
  }

  return { render };
}
