/**
 * Samples in Prometheus' text format, 0.0.4. By hand: the libraries for it keep counters of their own, in a process
 * that stays; here they are the board's, and only have to be written down.
 */
import { METRICS, type MetricName, type Sample, type Samples } from "../contract/metrics.ts";

export function metricsText(samples: Samples): string {
  const lines = Object.entries(METRICS).flatMap(([name, { type, help }]) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples[name as MetricName].map((sample) => sampleLine(name, sample)),
  ]);
  return `${lines.join("\n")}\n`;
}

function sampleLine(name: string, { labels = {}, value }: Sample): string {
  const told = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${told.length === 0 ? "" : `{${told.join(",")}}`} ${value}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
