/** Operations that keep what commands printed: secrets are taken out of it before anything else sees it. */
import { accept, type Result } from "../contract/result.ts";
import { Masking } from "../rules/masking.ts";
import type { Operation } from "./operations.ts";

export interface Masked {
  /** Where in the request something was masked; absent where nothing was. */
  masked?: string[];
}

export function masked<Input, Value extends object>(
  mask: (masking: Masking, input: Input) => Input,
  operation: Operation<Input, Value>,
): Operation<Input, Value & Masked> {
  return (context, input): Result<Value & Masked> => {
    const masking = new Masking();
    const result = operation(context, mask(masking, input));
    return result.ok ? accept({ ...result.value, ...masking.told }) : result;
  };
}
