/** What `edgeboard/client` offers. It runs in Node and in browsers, and loads nothing but itself. */
export type { Reason } from "../contract/reasons.ts";
export type { Handoff, Task } from "../contract/task.ts";
export type { RouteName } from "./addresses.ts";
export { Board, type Claim, type Claims } from "./board.ts";
export type { Answer, Body, CallOptions, Input, Query } from "./calls.ts";
export type { Clock } from "./clock.ts";
export { Edgeboard, type EdgeboardOptions } from "./edgeboard.ts";
export { LeaseLost, type Problem, Refused, Unreachable } from "./errors.ts";
export { type Ended, type Ending, errorText, type Handler, Interrupted, type Job } from "./job.ts";
export type { Beat, Directive, Keeper, KeepOptions } from "./keeper.ts";
export { type Grant, Lease } from "./lease.ts";
export { type FollowEnd, type FollowOptions, follow, type LiveState, type Told } from "./live.ts";
export type { Retry } from "./send.ts";
export type { Usage } from "./usage.ts";
export { type Tally, type WorkOptions, work } from "./work.ts";
