/**
 * Compares what a tool can do with what its name promises: a calculator has no use for a command, a file or a password. Also finds
 * imitations: a tool that has the name and nearly the words of another server's tool.
 */
import { isObject } from '../../../protocol/json.ts'
import type { OtherTool } from './context.ts'
import type { Signal } from './signal.ts'

/** Tasks that need nothing but their arguments, or one public source. */
const PURE = new Set(
  (
    'add addition subtract multiply divide sum average mean calc calculator calculate math maths arithmetic percentage convert converter conversion ' +
    'unit units temperature weather forecast time clock date day days weekday year leap timezone joke jokes dice die coin flip roll uuid random ' +
    'palindrome uppercase lowercase upper lower capitals capitalize reverse letters characters words translate currency fx exchange rate rates quote ' +
    'quotes fact facts trivia color colour hex slug slugify trim sort haiku emoji rhyme bmi age moon phase tide length metric imperial celsius ' +
    'fahrenheit greet greeting hello horoscope countdown anagram factorial prime primes fibonacci square root power number numbers'
  ).split(' '),
)
const FILLER = new Set(
  'get the a an two of to for in current my simple tool now today tomorrow between is check count find new generate make by and'.split(
    ' ',
  ),
)

const wordsOfName = (name: string): string[] =>
  name
    .slice(name.lastIndexOf('.') + 1)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')

const MIN_NAME_WORD = 3

/** Words of a name that say what the tool is about. */
export const nameWords = (name = ''): ReadonlySet<string> =>
  new Set(wordsOfName(name).filter((word) => word.length >= MIN_NAME_WORD))

/** Whether every word of the name belongs to such a task. */
export function isPureTask(name: string): boolean {
  const words = wordsOfName(name)
  return words.some((word) => PURE.has(word)) && words.every((word) => PURE.has(word) || FILLER.has(word))
}

const RISKY_PARAMETERS: readonly (readonly [RegExp, number, string])[] = [
  [/^(?:shell|bash|cmd|command|commands|exec|execute|shell_?(?:command|cmd)|script|eval|payload)$/, 6, 'a command'],
  [
    /^(?:credentials?|passwords?|passwd|private_?key|ssh_?key|secret_?key|secrets?|seed_?phrase|env|environ|environment_?variables|cookies?)$/,
    6,
    'a secret',
  ],
  [/^(?:file_?path|file_?name|file|files|path|directory|local_?file|home_?dir|config_?file)$/, 5, 'a file'],
]

/** For any tool that is not about conversations. */
const CONVERSATION_PARAMETER =
  /^(?:system_?prompt|(?:full_|entire_|complete_|all_)?(?:conversation|chat)(?:_?(?:history|log|context|transcript|so_far))|chain_?of_?thought|full_context|all_previous_(?:messages|tool_calls)|previous_tool_calls|previous_messages|context_window|(?:your_|hidden_|internal_)(?:instructions|prompt|reasoning))$/
const ABOUT_CONVERSATIONS =
  /chat|conversation|message|prompt|llm|complet|agent|assistant|model|memory|summar|generat|dialog|thread|transcript|session/i

export function purposeSignals(name: string, description: string, inputSchema: unknown): Signal[] {
  const properties =
    isObject(inputSchema) && isObject(inputSchema.properties) ? Object.keys(inputSchema.properties) : []
  const signals: Signal[] = []
  const isPure = isPureTask(name)
  for (const property of properties.slice(0, 200)) {
    const plain = property
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
      .replaceAll('-', '_')
      .toLowerCase()
    const risky = isPure ? RISKY_PARAMETERS.find(([pattern]) => pattern.test(plain)) : undefined
    if (risky !== undefined) {
      const message = `${JSON.stringify(name)} takes ${risky[2]} in the parameter ${JSON.stringify(property)}. Its task does not need one.`
      signals.push({ rule: 'exceeds-purpose', weight: risky[1], message, quote: property })
    }
    if (CONVERSATION_PARAMETER.test(plain) && !ABOUT_CONVERSATIONS.test(`${name} ${description}`)) {
      const message = `the parameter ${JSON.stringify(property)} asks for the conversation or the instructions of the model. They may contain secrets.`
      signals.push({ rule: 'asks-for-conversation', weight: 6, message, quote: property })
    }
  }
  return signals
}

const MIN_LIKENESS = 0.6

/** A tool with the name and nearly the words of another server's. The same words are two instances of one server, and only noted. */
export function imitationSignals(name: string, description: string, others: readonly OtherTool[]): Signal[] {
  const bare = bareOf(name)
  const words = wordSet(description)
  const signals: Signal[] = []
  for (const other of others) {
    if (other.description === undefined || bareOf(other.name) !== bare) continue
    const theirs = wordSet(other.description)
    const shared = [...words].filter((word) => theirs.has(word)).length
    const likeness = shared / Math.max(1, words.size + theirs.size - shared)
    if (likeness < MIN_LIKENESS) continue
    const isSame = other.description === description
    const message = `${isSame ? 'has the name and the description of' : 'has the name and nearly the description of'} a tool of ${other.server === undefined ? 'another server' : JSON.stringify(other.server)}. A model may call it in its place.`
    signals.push({ rule: 'imitates-tool', weight: isSame ? 1 : 6, message, quote: name.slice(0, 100) })
  }
  return signals.slice(0, 3)
}

const bareOf = (name: string): string =>
  name
    .slice(name.lastIndexOf('.') + 1)
    .toLowerCase()
    .replaceAll(/[_-]/g, '')
const wordSet = (text: string): Set<string> =>
  new Set(
    text
      .slice(0, 2000)
      .toLowerCase()
      .match(/[\p{L}\p{N}]{2,}/gu) ?? [],
  )
