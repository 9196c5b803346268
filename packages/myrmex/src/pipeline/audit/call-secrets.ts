/** Removes the secrets of one call: what its schemas mark as secret, and the texts of it wherever a tool repeats them. */
import type { ErrorDetail } from '../../protocol/envelope.ts'
import { RpcError } from '../../protocol/errors.ts'
import { SecretFilter, type SecretNames, secretTexts, TooManySecrets } from '../../protocol/secret.ts'
import type { Tool } from '../../tool/tool.ts'
import { answerTexts } from '../answers.ts'
import type { Call } from '../call.ts'
import { type CallEnd, Outcome } from '../outcome.ts'

export const hasSecrets = ({ input, output }: Tool): boolean => input.secrets.size > 0 || output.secrets.size > 0

/** The names of fields that one of the schemas marks. */
export const secretFields = ({ input, output }: Tool): SecretNames => ({
  has: (name) => input.secrets.has(name) || output.secrets.has(name),
  size: input.secrets.size + output.secrets.size,
})

/** Caller and tool choose both the secrets and the texts to search. This many characters take a few tenths of a second. */
const SEARCH_LIMIT = 100_000_000

/** Answers of the client may have secrets, whatever the schemas of the tool say. */
export const mayHaveSecrets = ({ tool, answerRounds }: Call): boolean => hasSecrets(tool) || answerRounds.length > 0

/** `data` is the result of the call, if it has one. It and its methods throw TooManySecrets if there is too much to search. */
export function secretFilter(
  call: Call,
  data?: unknown,
  rounds: Call['answerRounds'] = call.answerRounds,
): SecretFilter {
  return new SecretFilter(secretFields(call.tool), textsOf(call, data, rounds), SEARCH_LIMIT)
}

/** The secret texts of a call, to find them in what others send. */
export const sentSecrets = (call: Call, data?: unknown): readonly string[] =>
  mayHaveSecrets(call) ? textsOf(call, data, call.answerRounds) : NO_TEXTS

const NO_TEXTS: readonly string[] = []

function textsOf(call: Call, data: unknown, rounds: Call['answerRounds']): string[] {
  const { input, output } = call.tool
  return [
    ...secretTexts(call.args, input.secrets),
    // Parsing may have changed the text, and the tool knows only the parsed one.
    ...secretTexts(call.input, input.secrets),
    ...secretTexts(data, output.secrets),
    // An undo works on the result of an earlier call.
    ...secretTexts(call.undone?.data, output.secrets),
    ...answerTexts(rounds, call.answerSecrets),
  ]
}

/** The fields of an error stay texts, even if the tool marks everything as secret. */
export const errorWithoutSecrets = (error: ErrorDetail, secrets: SecretFilter): ErrorDetail => ({
  error_type: secrets.text(error.error_type),
  error_message: secrets.text(error.error_message),
  // A record of an earlier version may have none.
  error_details: error.error_details == null ? null : secrets.value(error.error_details),
})

/**
 * The end of a call as its caller gets it: errors and explanations without secrets, whichever gate, tool or upstream wrote them. The data
 * of a result stays as the tool returned it.
 */
export function endWithoutSecrets(call: Call, ended: CallEnd): CallEnd {
  return unlessTooMany(
    () => cleanEnd(call, ended),
    () => hiddenEnd(ended),
  )
}

/** In the place of what cannot be searched for secrets. */
export const TOO_MANY = '[not shown: the call has too many secrets to look for]'

export function unlessTooMany<T>(clean: () => T, hidden: () => T): T {
  try {
    return clean()
  } catch (why) {
    if (!(why instanceof TooManySecrets)) throw why
    return hidden()
  }
}

/** Nothing that the tool wrote in words may be shown. */
function hiddenEnd(ended: CallEnd): CallEnd {
  if (ended instanceof RpcError) return new RpcError(ended.code, TOO_MANY)
  if (!(ended instanceof Outcome)) return ended
  const { status, data, error, forwarded } = ended
  const hidden = error === null ? null : { error_type: error.error_type, error_message: TOO_MANY, error_details: null }
  return new Outcome(status, data, hidden, null, null, status === 'failure' ? null : forwarded)
}

function cleanEnd(call: Call, ended: CallEnd): CallEnd {
  if (ended instanceof RpcError) return rpcWithoutSecrets(ended, secretFilter(call))
  if (!(ended instanceof Outcome) || (ended.error === null && ended.explanation === null)) return ended
  const { status, data, error, explanation, content, forwarded } = ended
  const secrets = secretFilter(call, data)
  const Kind = ended.constructor as typeof Outcome
  return new Kind(
    status,
    data,
    error === null ? null : errorWithoutSecrets(error, secrets),
    explanation === null ? null : secrets.text(explanation),
    status === 'failure' ? secrets.value(content) : content,
    status === 'failure' ? secrets.value(forwarded) : forwarded,
  )
}

function rpcWithoutSecrets(error: RpcError, secrets: SecretFilter): RpcError {
  const message = secrets.text(error.message)
  const data = secrets.value(error.data)
  return message === error.message && data === error.data ? error : new RpcError(error.code, message, data)
}

/** Something thrown, for the log. An error that contains a secret is copied without it. */
export function withoutSecretTexts(call: Call, thrown: unknown): unknown {
  if (!mayHaveSecrets(call)) return thrown
  return unlessTooMany(
    () => {
      const secrets = secretFilter(call)
      return thrown instanceof Error ? errorCopy(thrown, secrets) : secrets.value(thrown)
    },
    () => new Error(TOO_MANY),
  )
}

function errorCopy(error: Error, secrets: SecretFilter): Error {
  const { name, message, stack = '', cause } = error
  const clean = cause instanceof Error ? errorCopy(cause, secrets) : secrets.value(cause)
  const copy = new Error(secrets.text(message), cause === undefined ? {} : { cause: clean })
  return Object.assign(copy, { name, stack: secrets.text(stack) })
}
