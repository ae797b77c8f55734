/** What a runtime of our own is let say: the lines about requests and alarms would drown what a script prints. */
export function faultsOnly({ level, message }: { level: string; message: string }): void {
  if (level === "error" || level === "warn") console.error(message);
}
