import * as z from "zod";
import { TIME_MAX_MS } from "../contract/limits.ts";

const inRange = z.int().min(0, "must be a time after 1970").max(TIME_MAX_MS, "must be a time before 2100");

/** An ISO 8601 time, read to the millisecond. What else `Date.parse` would make a guess at is a fault. */
export const isoMoment = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}(?:T|$)/, "must be an ISO 8601 time")
  .transform((value) => Date.parse(value))
  .pipe(inRange);

/** The same, or the epoch's milliseconds as a number. */
export const moment = z.union([isoMoment, inRange]);
