/** What is watched, and what is told of it: the metrics, their description, the dashboard and the alerts agree. */
import { expect, it } from "vitest";
import { METRICS } from "../../src/contract/metrics.ts";
import { bare, rowsOf, tablesOf } from "./markdown.ts";
import { textOf } from "./source.ts";

const there = Object.keys(METRICS).toSorted();
const namesIn = (text: string) => [...new Set(text.match(/\bedgeboard_\w+/g) ?? [])].toSorted();

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

const dashboard = JSON.parse(textOf("docs/grafana/edgeboard.json")) as { panels: Panel[] };
const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const alerts = textOf("docs/grafana/alerts.yml");

it("docs/watch.md describes every metric, and no other", () => {
  const rows = rowsOf(tablesOf("docs/watch.md"), "Metrics", "metric");
  expect(rows.flatMap(([names = ""]) => namesIn(bare(names) + names)).toSorted()).toEqual(there);
  expect(rows.filter((row) => row.length !== 3 || row[2] === "")).toEqual([]);
});

it("the dashboard shows every metric, and no other", () => {
  expect(namesIn(expressions.join("\n"))).toEqual(there);
});

it("an alert is about metrics that there are, and leads to a part of the runbook", () => {
  expect(namesIn(alerts).filter((name) => !there.includes(name))).toEqual([]);
  const parts = [...textOf("docs/runbook.md").matchAll(/^## (.*)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, "")
      .replaceAll(" ", "-"),
  );
  const links = [...alerts.matchAll(/docs\/runbook\.md#([\w-]+)/g)].map(([, part]) => part);
  expect(links.length).toBe(alerts.match(/- alert:/g)?.length);
  expect(links.filter((part) => !parts.includes(part as string))).toEqual([]);
});

it("the runbook speaks of metrics that there are", () => {
  const named = namesIn(textOf("docs/runbook.md"));
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !there.includes(name))).toEqual([]);
});

it("counters are called so, and nothing else is; units are the base ones", () => {
  for (const [name, { type, help }] of Object.entries(METRICS)) {
    expect([name, name.endsWith("_total")]).toEqual([name, type === "counter"]);
    expect(name).not.toMatch(/_(ms|millis|kb|mb|minutes)(_|$)/);
    expect(help).toMatch(/^[^\n\\]+\.$/);
  }
});
