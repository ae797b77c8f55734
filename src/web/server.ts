/** The server this page came from. The browser's session goes along by itself; no token is ever held here. */
import { Edgeboard } from "../client/edgeboard.ts";

export const server = new Edgeboard({ url: location.origin });
