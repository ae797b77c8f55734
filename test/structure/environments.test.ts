/** What is deployed is what is tested: the environments of wrangler.toml against its top level. */
import { describe, expect, it } from "vitest";
import { readConfiguration, type Surroundings } from "../../src/local/wrangler.ts";

const top = readConfiguration();
const environments = Object.entries(top.env ?? {});

/** An environment as the top level writes it; what follows here is an environment's own. */
const comparable = ({
  name: _name,
  routes: _routes,
  workers_dev: _dev,
  r2_buckets: _archive,
  ratelimits,
  ...rest
}: Surroundings) => ({
  ...rest,
  ratelimits: ratelimits.map(({ namespace_id: _own, ...limit }) => limit),
});

/** What an environment has from the top level by itself, unless it says otherwise. */
const PASSED_ON = ["name", "main", "compatibility_date", "exports", "assets", "observability", "env"];

it("there is one to deploy to and one to try in", () => {
  expect(environments.map(([name]) => name).sort()).toEqual(["production", "staging"]);
});

describe.each(environments)("%s", (_name, environment) => {
  it("has every binding and secret of the top level, and none beside them", () => {
    const wanted = Object.entries(top).filter(([key]) => !PASSED_ON.includes(key));
    expect(comparable(environment)).toEqual(
      comparable(Object.fromEntries(wanted) as unknown as Surroundings),
    );
  });
});

it("no two of them share a Worker, nor the count of a limit", () => {
  const all: Surroundings[] = [top, ...environments.map(([, environment]) => environment)];
  const numbers = all.flatMap(({ ratelimits }) => ratelimits.map(({ namespace_id: number }) => number));
  expect(new Set(numbers).size).toBe(numbers.length);
  const names = environments.map(([, { name }]) => name);
  expect(new Set(names).size).toBe(names.length);
});
