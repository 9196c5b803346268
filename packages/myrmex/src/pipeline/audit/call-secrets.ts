/** Removes the secrets of one call: what its schemas mark as secret, and the texts of it wherever a tool repeats them. */
import type { ErrorDetail } from '../../protocol/envelope.ts'
import { SecretFilter, secretTexts } from '../../protocol/secret.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Call } from '../call.ts'

export const hasSecrets = ({ input, output }: Tool): boolean => input.secrets.size > 0 || output.secrets.size > 0

/** `data` is the result of the call, if it has one. */
export function secretFilter(call: Call, data?: unknown): SecretFilter {
  const { input, output } = call.tool
  const texts = [
    ...secretTexts(call.args, input.secrets),
    // Parsing may have changed the text, and the tool knows only the parsed one.
    ...secretTexts(call.input, input.secrets),
    ...secretTexts(data, output.secrets),
    // The undo data is the result of an earlier call.
    ...secretTexts(call.undoData, output.secrets),
  ]
  const has = (name: string): boolean => input.secrets.has(name) || output.secrets.has(name)
  return new SecretFilter({ has, size: input.secrets.size + output.secrets.size }, texts)
}

/** The fields of an error stay texts, even if the tool marks everything as secret. */
export const errorWithoutSecrets = (error: ErrorDetail, secrets: SecretFilter): ErrorDetail => ({
  error_type: secrets.text(error.error_type),
  error_message: secrets.text(error.error_message),
  ...(error.error_details !== undefined && { error_details: secrets.value(error.error_details) }),
})

/** Something thrown, for the log. An error that contains a secret is copied without it. */
export function withoutSecretTexts(call: Call, thrown: unknown): unknown {
  if (!hasSecrets(call.tool)) return thrown
  const secrets = secretFilter(call)
  return thrown instanceof Error ? errorCopy(thrown, secrets) : secrets.value(thrown)
}

function errorCopy(error: Error, secrets: SecretFilter): Error {
  const { name, message, stack = '', cause } = error
  const clean = cause instanceof Error ? errorCopy(cause, secrets) : secrets.value(cause)
  const copy = new Error(secrets.text(message), cause === undefined ? {} : { cause: clean })
  return Object.assign(copy, { name, stack: secrets.text(stack) })
}
