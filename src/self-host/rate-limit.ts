/** The platform's rate limits, for a runtime of one's own: counted in memory, by windows of the clock. */
import { WorkerEntrypoint } from "cloudflare:workers";
import { type Limit, take } from "./windows.ts";

export class RateLimit extends WorkerEntrypoint<unknown, Limit> {
  limit({ key }: { key: string }): { success: boolean } {
    return { success: take(this.ctx.props, key, Date.now()) };
  }
}

export default { fetch: () => new Response(null, { status: 404 }) };
