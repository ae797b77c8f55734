/**
 * What the conformance suite asks for and we do not have, by the name of a scenario or of one check in it. Each has
 * to fail: one that passes is stale, and has to go from here.
 */
export interface NotOffered {
  why: string;
  checks: string[];
}

export const NOT_OFFERED: NotOffered[] = [
  {
    why: "no resources: what there is to read, the tools read",
    checks: [
      "resources-list",
      "resources-read-text",
      "resources-read-binary",
      "resources-templates-read",
      "resources-subscribe",
      "resources-unsubscribe",
      "caching/sep-2549-resources-list-caching-hints",
      "caching/sep-2549-resources-templates-list-caching-hints",
    ],
  },
  {
    why: "no prompts, and nothing to complete",
    checks: [
      "prompts-list",
      "prompts-get-simple",
      "prompts-get-with-args",
      "prompts-get-embedded-resource",
      "prompts-get-with-image",
      "caching/sep-2549-prompts-list-caching-hints",
      "completion-complete",
    ],
  },
  {
    why: "asks for tools of the suite's own, which a server of tasks has not",
    checks: [
      "tools-call-simple-text",
      "tools-call-image",
      "tools-call-audio",
      "tools-call-embedded-resource",
      "tools-call-mixed-content",
      "tools-call-error",
      "tools-call-with-progress",
      "json-schema-2020-12",
      "server-stateless/sep-2575-server-rejects-undeclared-capability",
      "server-stateless/sep-2575-missing-capability-http-400",
      "server-stateless/sep-2575-http-server-no-independent-requests-on-stream",
      "server-stateless/sep-2575-server-no-log-without-loglevel",
    ],
  },
  {
    why: "nothing is asked of the client in the middle of a call: agents run unattended",
    checks: [
      "tools-call-sampling",
      "tools-call-elicitation",
      "elicitation-sep1034-defaults",
      "elicitation-sep1330-enums",
      "input-required-result-basic-elicitation",
      "input-required-result-basic-sampling",
      "input-required-result-basic-list-roots",
      "input-required-result-request-state",
      "input-required-result-multiple-input-requests",
      "input-required-result-multi-round",
      "input-required-result-non-tool-request",
      "input-required-result-result-type",
      "input-required-result-tampered-state",
      "input-required-result-capability-check",
    ],
  },
  {
    why: "no log for clients: it is the board's, under GET events",
    checks: ["logging-set-level", "tools-call-with-logging"],
  },
  {
    why: "no subscriptions: nothing changes that a client could be told of",
    checks: [
      "server-stateless/sep-2575-server-sends-subscription-ack",
      "server-stateless/sep-2575-server-tags-subscription-id",
    ],
  },
  {
    why: "no parameter of a tool is sent as a header",
    checks: ["http-custom-header-server-validation"],
  },
  {
    why: "no extension for long calls: every call ends in milliseconds, and a board's tasks are not the protocol's",
    checks: [
      "tasks-lifecycle",
      "tasks-capability-negotiation",
      "tasks-wire-fields",
      "tasks-request-state-removal",
      "tasks-mrtr-input",
      "tasks-request-headers",
      "tasks-dispatch-and-envelope",
      "tasks-required-task-error",
      "tasks-mrtr-composition",
    ],
  },
];

/** One check of the suite, as it tells of it. */
export interface Check {
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  errorMessage?: string;
}

export interface Checked extends Check {
  scenario: string;
}

export interface Held {
  /** What fails and should not. */
  unexpected: Checked[];
  /** What is said not to be offered, and does not fail. */
  stale: string[];
}

export function holdAgainst(checks: readonly Checked[], notOffered: readonly NotOffered[]): Held {
  const named = new Set(notOffered.flatMap((group) => group.checks));
  const failures = checks.filter(({ status }) => status === "FAILURE");
  const namesOf = ({ scenario, id }: Checked) => [scenario, `${scenario}/${id}`];
  const failed = new Set(failures.flatMap(namesOf));
  return {
    unexpected: failures.filter((check) => !namesOf(check).some((name) => named.has(name))),
    stale: [...named].filter((name) => !failed.has(name)),
  };
}
