import { ROLES, type Role } from "../contract/roles.ts";

export function includesRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
