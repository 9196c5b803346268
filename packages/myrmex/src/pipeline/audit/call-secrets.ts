/** The secrets of one call: the fields that its schemas mark as secret, and the texts in them. */
import { type SecretNames, secretTexts } from '../../protocol/secret.ts'
import type { Call } from '../call.ts'

/** `data` is the result of the call, if it has one. The texts find secrets where a tool repeats them. */
export function secretsOf(call: Call, data?: unknown): { secrets: SecretNames; texts: string[] } {
  const { input, output } = call.tool
  const texts = [
    ...secretTexts(call.args, input.secrets),
    // Parsing may have changed the text, and the tool knows only the parsed one.
    ...secretTexts(call.input, input.secrets),
    ...secretTexts(data, output.secrets),
    // The undo data is the result of an earlier call.
    ...secretTexts(call.undoData, output.secrets),
  ]
  return { secrets: new Set([...input.secrets, ...output.secrets]), texts }
}
