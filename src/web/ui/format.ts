/** Numbers and times as people read them. */
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `42 s`, `3 min`, `2 h 5 min`, `4 d`. */
export function duration(ms: number): string {
  const whole = Math.max(0, ms);
  if (whole < MINUTE) return `${Math.floor(whole / SECOND)} s`;
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)} min`;
  if (whole < DAY) {
    const minutes = Math.floor((whole % HOUR) / MINUTE);
    return minutes === 0 ? `${Math.floor(whole / HOUR)} h` : `${Math.floor(whole / HOUR)} h ${minutes} min`;
  }
  return `${Math.floor(whole / DAY)} d`;
}

/** `2:59`, for what runs out soon. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / SECOND));
  if (seconds >= 3_600) return duration(ms);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export function ago(at: number, now: number): string {
  return now - at < 5 * SECOND ? "just now" : `${duration(now - at)} ago`;
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

export function moment(at: number): string {
  return exact.format(at);
}

const whole = new Intl.NumberFormat();
const short = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });

export function count(value: number): string {
  return whole.format(value);
}

export function tokens(value: number): string {
  return short.format(value);
}

export function money(usd: number): string {
  if (usd !== 0 && Math.abs(usd) < 0.01) return "< $0.01";
  return `$${usd.toLocaleString(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

export function percent(share: number | null): string {
  return share === null ? "–" : `${Math.round(share * 100)} %`;
}

/** `1 task`, `2 tasks`. */
export function plural(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}
