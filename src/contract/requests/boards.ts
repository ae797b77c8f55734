/** What callers send about boards and tokens: strict, so that an unknown key is an error and not a surprise. */
import * as z from "zod";
import * as limits from "../limits.ts";
import { JURISDICTIONS, LOCATION_HINTS } from "../places.ts";
import { RESERVED_IDS, TOKEN_ROLES } from "../roles.ts";
import { settingsChange } from "../settings.ts";
import { agentId, boardId, filledText, labels } from "../text.ts";

export const createBoardBody = z
  .strictObject({
    id: boardId.optional().meta({ description: "Made from the name when it is not given" }),
    name: filledText(limits.NAME_MAX),
    settings: settingsChange.optional(),
    locationHint: z
      .enum(LOCATION_HINTS)
      .optional()
      .meta({ description: "Near whom the board is placed when it is made: a wish, not a promise" }),
    jurisdiction: z.enum(JURISDICTIONS).optional().meta({
      description: "Where its data stays, for good; the id then begins with it, as in eu--payments",
    }),
  })
  .meta({ id: "CreateBoard" });

export const changeBoardBody = z
  .strictObject({
    name: filledText(limits.NAME_MAX).optional(),
    settings: settingsChange.optional(),
    paused: z.boolean().optional(),
    archived: z.boolean().optional(),
  })
  .meta({ id: "ChangeBoard" });

export const mintTokenBody = z
  .strictObject({
    agentId: agentId.refine((id) => !RESERVED_IDS.includes(id), "is taken by Edgeboard itself"),
    role: z.enum(TOKEN_ROLES),
    runtime: agentId.optional(),
    capabilities: labels.optional(),
    expiresInS: z.int().min(1).max(limits.TOKEN_LIFETIME_MAX_S).optional(),
  })
  .meta({ id: "MintToken" });
