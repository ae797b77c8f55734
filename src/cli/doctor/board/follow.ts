/** Can the board be followed as it changes? */
import type { AtBoard, Check } from "../check.ts";
import { frames, greeting, HAS_SOCKETS } from "../frames.ts";
import { failed, good, skipped } from "../verdict.ts";

export const NO_SOCKET = failed(
  "No socket can be opened.",
  "Does what is in front of the server let WebSockets through? Readers poll until then.",
);
export const TOO_OLD = skipped("This Node has no WebSockets.", "Run the doctor with Node 22 or newer.");

export const follow: Check<AtBoard> = {
  name: "follow",
  async run(at) {
    if (!HAS_SOCKETS) return TOO_OLD;
    const { seq } = await at.board.get();
    const line = frames(at, { board: at.id, token: at.token, after: seq });
    const stands = await greeting(line);
    await line.return();
    if (stands === null) return NO_SOCKET;
    return stands >= seq
      ? good("A socket opens, and says where the log stands.")
      : failed(`A socket says that the log stands at ${stands}, a read before it ${seq}.`);
  },
};
