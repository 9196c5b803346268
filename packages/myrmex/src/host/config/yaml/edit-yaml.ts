/**
 * Sets or removes one entry of a mapping in a YAML file, such as an extension of Goose, and leaves everything else byte for byte. The
 * result is read again and compared, so that a file in a form that is not understood is refused instead of damaged.
 */
import { isDeepStrictEqual } from 'node:util'
import { ToolError } from '../../../protocol/errors.ts'
import { isObject, type JsonObject, valueAtPath } from '../../../protocol/json.ts'
import type { EditedText } from '../jsonc/edit-jsonc.ts'
import { readYaml, yamlDocument } from './read-yaml.ts'

type Edit = EditedText['edits'][number]

/** `steps`: the name of a mapping at the top, and the name of the entry. */
export async function setMapping(
  text: string,
  file: string,
  [block = '', name = '']: readonly string[],
  wanted: JsonObject | undefined,
): Promise<EditedText> {
  const value = (await readYaml(text, file)) ?? {}
  const refuse = (why: string): ToolError =>
    ToolError.of('ValidationError', `${file}: ${why}. Edit it by hand; the file was not changed.`)
  if (!isObject(value)) throw refuse('it is not a mapping')
  const entries = valueAtPath(value, [block]) ?? {}
  if (!isObject(entries)) throw refuse(`${block} is not a mapping`)
  const before = valueAtPath(entries, [name])
  if (isDeepStrictEqual(before, wanted)) return { text, edits: [], before }
  const edit =
    wanted === undefined ? await removal(text, file, block, name) : await setting(text, file, block, name, wanted)
  if (edit === undefined) throw refuse(`${block}.${name} cannot be edited there`)
  const now = text.slice(0, edit.offset) + edit.content + text.slice(edit.offset + edit.length)
  const { [name]: _, ...others } = entries
  const expected = { ...value, [block]: wanted === undefined ? others : { ...others, [name]: wanted } }
  const found = await readYaml(now, file).catch(() => undefined)
  if (!isDeepStrictEqual(found, expected)) throw refuse(`${block}.${name} cannot be edited there`)
  return { text: now, edits: [edit], before }
}

interface Places {
  /** behind the key of the block and its colon; undefined: there is no such key */
  readonly head: number | undefined
  /** keys of the block's entries in order, with the start of their lines; undefined: it is in braces */
  readonly entries: readonly { readonly name: string; readonly start: number; readonly indent: string }[] | undefined
  /** the value of the block, where it is empty */
  readonly empty: { readonly start: number; readonly end: number } | undefined
}

async function placesOf(text: string, file: string, block: string): Promise<Places> {
  const { isMap } = await import('../libraries.ts')
  const { contents } = await yamlDocument(text, file)
  const pair = isMap(contents) ? contents.items.find(({ key }) => nodeText(key) === block) : undefined
  if (pair === undefined) return { head: undefined, entries: [], empty: undefined }
  const head = text.indexOf(':', rangeOf(pair.key)[1]) + 1
  const inner = pair.value
  if (!isMap(inner)) return { head, entries: [], empty: { start: head, end: Math.max(head, rangeOf(inner)[1]) } }
  if (inner.flow === true) {
    const [start, end] = rangeOf(inner)
    return { head, entries: inner.items.length === 0 ? [] : undefined, empty: { start, end } }
  }
  return {
    head,
    empty: undefined,
    entries: inner.items.map(({ key }) => {
      const [at] = rangeOf(key)
      const start = text.lastIndexOf('\n', at - 1) + 1
      return { name: nodeText(key), start, indent: text.slice(start, at) }
    }),
  }
}

const nodeText = (node: unknown): string => String((node as { value?: unknown } | null)?.value)
const rangeOf = (node: unknown): readonly [number, number] =>
  ((node as { range?: [number, number, number] } | null)?.range ?? [0, 0, 0]) as unknown as [number, number]

async function setting(
  text: string,
  file: string,
  block: string,
  name: string,
  wanted: JsonObject,
): Promise<Edit | undefined> {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const { head, entries, empty } = await placesOf(text, file, block)
  if (entries === undefined) return undefined
  const indent = entries[0]?.indent ?? '  '
  const written = await entryLines(name, wanted, indent)
  if (head === undefined) {
    const gap = text === '' || text.endsWith('\n') ? '' : eol
    return { offset: text.length, length: 0, content: `${gap}${[`${block}:`, ...written].join(eol)}${eol}` }
  }
  if (empty !== undefined) {
    // The rest of its line is a comment.
    const end = lineEnd(text, empty.end)
    const rest = text.slice(empty.end, end).trimEnd()
    const tail = text[end - 1] === '\n' ? eol : ''
    return { offset: head, length: end - head, content: rest + eol + written.join(eol) + tail }
  }
  const own = entries.find((one) => one.name === name)
  const last = own ?? entries.at(-1)
  if (last === undefined) return undefined
  const end = entryEnd(text, last.start, last.indent.length)
  const content = written.join(eol)
  if (own !== undefined)
    return { offset: own.start, length: end - own.start, content: content + (text[end - 1] === '\n' ? eol : '') }
  return text[end - 1] === '\n'
    ? { offset: end, length: 0, content: content + eol }
    : { offset: end, length: 0, content: eol + content }
}

async function removal(text: string, file: string, block: string, name: string): Promise<Edit | undefined> {
  const { head, entries } = await placesOf(text, file, block)
  const own = entries?.find((one) => one.name === name)
  if (own === undefined || head === undefined) return undefined
  const end = entryEnd(text, own.start, own.indent.length)
  // Nothing would remain, and that is not a mapping.
  if (entries?.length === 1) {
    const rest = text.slice(head, own.start)
    return { offset: head, length: end - head, content: ` {}${rest}` }
  }
  // In a file without a newline at its end, the one before the entry goes instead.
  const from = text[end - 1] === '\n' ? own.start : own.start - (text.slice(0, own.start).endsWith('\r\n') ? 2 : 1)
  return { offset: from, length: end - from, content: '' }
}

/** Behind the last line that is indented deeper than the key, without empty lines and comments that follow. */
function entryEnd(text: string, start: number, indent: number): number {
  let end = lineEnd(text, start)
  for (let offset = end; offset < text.length; ) {
    const next = lineEnd(text, offset)
    const line = text.slice(offset, next)
    const depth = line.length - line.trimStart().length
    // A list may be as deep as its key.
    const isInside = depth > indent || (depth === indent && line.trimStart().startsWith('- '))
    if (line.trim() !== '' && !isInside) break
    offset = next
    if (line.trim() !== '' && !line.trimStart().startsWith('#')) end = next
  }
  return end
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end + 1
}

async function entryLines(name: string, wanted: JsonObject, indent: string): Promise<string[]> {
  const { stringifyYaml } = await import('../libraries.ts')
  return stringifyYaml({ [name]: wanted }, { lineWidth: 0 })
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : indent + line))
}
