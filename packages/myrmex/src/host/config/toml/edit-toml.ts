/**
 * Sets or removes one table of a TOML file, such as [mcp_servers.NAME] with its subtables, and leaves everything else byte for byte. The
 * result is read again and compared, so that a file in a form that is not understood is refused instead of damaged.
 */
import { isDeepStrictEqual } from 'node:util'
import { ToolError } from '../../../protocol/errors.ts'
import { isObject, type Json, type JsonObject, valueAtPath } from '../../../protocol/json.ts'
import type { EditedText } from '../jsonc/edit-jsonc.ts'
import { readToml } from './read-toml.ts'
import { type TomlStatement, tomlStatements } from './toml-statements.ts'

/** Throws ValidationError if the file is malformed, or if the table cannot be edited in it. */
export async function setTable(
  text: string,
  file: string,
  steps: readonly string[],
  wanted: JsonObject | undefined,
): Promise<EditedText> {
  const value = await readToml(text, file)
  const before = valueAtPath(value, steps)
  if (isDeepStrictEqual(before, wanted)) return { text, edits: [], before }
  const own = tomlStatements(text, await pathReader(file)).filter(({ path }) => startsWith(path, steps))
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const written = wanted === undefined ? '' : tableLines(steps, wanted).join(eol)
  const edits = own.length === 0 ? [] : removals(text, own, eol)
  const [first] = edits
  if (wanted !== undefined) {
    if (first === undefined) edits.push({ offset: text.length, length: 0, content: appended(text, written, eol) })
    else edits[0] = { ...first, content: written + (endsLine(text, first) ? eol : '') }
  }
  const now = edits
    .toReversed()
    .reduce((all, { offset, length, content }) => all.slice(0, offset) + content + all.slice(offset + length), text)
  await requireOnly(now, file, value, steps, wanted)
  return { text: now, edits, before }
}

type Edit = EditedText['edits'][number]

const startsWith = (path: readonly string[], steps: readonly string[]): boolean =>
  steps.every((step, index) => path[index] === step)

const endsLine = (text: string, { offset, length }: Edit): boolean => text[offset + length - 1] === '\n'

/** An empty line keeps it apart from what is before it. A file without a newline at its end gets none. */
function appended(text: string, written: string, eol: string): string {
  if (text === '') return written + eol
  return text.endsWith('\n') ? eol + written + eol : eol + eol + written
}

/** Statements that follow each other are removed as one. At the end of the file, so is the empty line before them. */
function removals(text: string, own: readonly TomlStatement[], eol: string): Edit[] {
  const spans: { start: number; end: number }[] = []
  for (const { start, end } of own) {
    const last = spans.at(-1)
    if (last !== undefined && /^\s*$/.test(text.slice(last.end, start))) last.end = end
    else spans.push({ start, end })
  }
  return spans.map(({ start, end }) => {
    if (end < text.length) return { offset: start, length: end - start, content: '' }
    const head = text.slice(0, start)
    const gap = text.endsWith('\n') ? (head.endsWith(eol + eol) || head === eol ? eol : '') : eol + eol
    const from = head.endsWith(gap) ? start - gap.length : start
    return { offset: from, length: end - from, content: '' }
  })
}

function tableLines(path: readonly string[], table: JsonObject): string[] {
  const entries = Object.entries(table).filter(([, value]) => value !== undefined) as [string, Json][]
  const values = entries.filter(([, value]) => !isObject(value))
  const tables = entries.filter(([, value]) => isObject(value)) as [string, JsonObject][]
  return [
    `[${path.map(keyText).join('.')}]`,
    ...values.map(([key, value]) => `${keyText(key)} = ${valueText(value)}`),
    ...tables.flatMap(([key, inner]) => ['', ...tableLines([...path, key], inner)]),
  ]
}

const keyText = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : valueText(key))

/** JSON text of strings, numbers and lists is TOML, apart from one character. */
const valueText = (value: Json): string =>
  Array.isArray(value) ? `[${value.map(valueText).join(', ')}]` : JSON.stringify(value).replaceAll('\u007f', '\\u007F')

/** Reads `a."b.c"` as its parts. */
async function pathReader(file: string): Promise<(key: string) => string[]> {
  const { parseToml } = await import('../libraries.ts')
  return (key) => {
    const path: string[] = []
    for (let inner: unknown = parseToml(`${key.trim()} = 0`); isObject(inner); ) {
      const [step] = Object.keys(inner)
      if (step === undefined) throw ToolError.of('ValidationError', `${file}: ${key} is not a key`)
      path.push(step)
      inner = inner[step]
    }
    return path
  }
}

async function requireOnly(
  text: string,
  file: string,
  before: Record<string, unknown>,
  steps: readonly string[],
  wanted: JsonObject | undefined,
): Promise<void> {
  const now = await readToml(text, file).catch(() => undefined)
  if (isDeepStrictEqual(withMember(now ?? {}, steps, wanted), withMember(before, steps, wanted)) && now !== undefined) {
    if (isDeepStrictEqual(valueAtPath(now, steps), wanted)) return
  }
  throw ToolError.of(
    'ValidationError',
    `${file}: ${steps.join('.')} cannot be edited there, because it is not written as a table of its own. Edit it by hand; the file was not changed.`,
  )
}

/** Without empty parents, which TOML does not keep. */
function withMember(
  value: Record<string, unknown>,
  [step = '', ...rest]: readonly string[],
  wanted: JsonObject | undefined,
): Record<string, unknown> {
  const inner = value[step]
  const member = rest.length === 0 ? wanted : withMember(isObject(inner) ? inner : {}, rest, wanted)
  const { [step]: _, ...others } = value
  return member === undefined || (rest.length > 0 && Object.keys(member).length === 0)
    ? others
    : { ...others, [step]: member }
}
