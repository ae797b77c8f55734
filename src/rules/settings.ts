import * as limits from "../contract/limits.ts";
import type { Settings, SettingsChange } from "../contract/settings.ts";

export interface SettingsFault {
  path: string;
  message: string;
}

/** The change laid over what is in force; nested groups key by key. */
export function mergeSettings(current: Settings, change: SettingsChange): Settings {
  return {
    ...current,
    ...change,
    backoff: { ...current.backoff, ...change.backoff },
    caps: { ...current.caps, ...change.caps },
  };
}

/** Every fault of the settings taken together; an empty list means they hold. */
export function settingsFaults(settings: Settings): SettingsFault[] {
  const { leaseTtlMs, beatEveryMs, sweepEveryMs, backoff } = settings;
  const faults: SettingsFault[] = [];
  const fault = (path: string, message: string) => faults.push({ path, message });
  if (leaseTtlMs < limits.LEASE_TTL_MIN_MS)
    fault("leaseTtlMs", `must be at least ${limits.LEASE_TTL_MIN_MS}`);
  if (beatEveryMs < limits.BEAT_EVERY_MIN_MS)
    fault("beatEveryMs", `must be at least ${limits.BEAT_EVERY_MIN_MS}`);
  if (sweepEveryMs < limits.SWEEP_EVERY_MIN_MS)
    fault("sweepEveryMs", `must be at least ${limits.SWEEP_EVERY_MIN_MS}`);
  if (limits.BEATS_PER_TTL * beatEveryMs > leaseTtlMs)
    fault("beatEveryMs", `${limits.BEATS_PER_TTL} beats must fit into leaseTtlMs`);
  if (leaseTtlMs + sweepEveryMs > limits.RECOVERY_BOUND_MS)
    fault("leaseTtlMs", `leaseTtlMs + sweepEveryMs must be at most ${limits.RECOVERY_BOUND_MS}`);
  if (backoff.stepMs > backoff.maxMs) fault("backoff.stepMs", "must be at most backoff.maxMs");
  return faults;
}
