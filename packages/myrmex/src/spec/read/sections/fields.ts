/** The parameters or result fields of a section: from a table, a list, or the code in a sentence. */
import type { InlineCode, List, ListItem, Paragraph, PhrasingContent, RootContent, Table } from 'mdast'
import type { DocumentField, TextLocation } from '../../document.ts'
import { parseInline, wordsOf } from '../../markdown/inline.ts'
import type { Lines } from '../../markdown/lines.ts'
import { endOffset, locationOf, startOffset } from '../../markdown/nodes.ts'
import { readInline } from '../../markdown/text.ts'
import { isParameterTable } from '../parameter-blocks.ts'
import { type FieldText, fieldIn, fieldName, fieldRemark, shapeFields, splitOutside } from './field-text.ts'
import { readTable } from './table.ts'
import { columnsOf, isNoName, statedYesOrNo, withoutMarks } from './table-columns.ts'

export type FieldSide = 'input' | 'output'

/** undefined: nothing here can be read as fields. Empty: the text says that there are none. */
export function fieldsIn(nodes: readonly RootContent[], lines: Lines, side: FieldSide): DocumentField[] | undefined {
  const reader = new FieldReader(lines, side)
  for (const node of nodes) reader.read(node)
  return reader.result()
}

/** At this depth a list is not read any further. */
const MAX_DEPTH = 20

class FieldReader {
  private fields: DocumentField[] | undefined
  private none = false
  private readonly lines: Lines
  private readonly side: FieldSide
  /** the last sentence: a second table is about what it names */
  private said = ''

  constructor(lines: Lines, side: FieldSide) {
    this.lines = lines
    this.side = side
  }

  read(node: RootContent): void {
    if (node.type === 'table' && isFieldTable(node)) this.add(this.inTable(node))
    else if (node.type === 'list' && this.fields === undefined) this.fields = this.inList(node, 0)
    else if (node.type === 'paragraph') this.paragraph(node)
  }

  result(): DocumentField[] | undefined {
    return this.fields ?? (this.none ? [] : undefined)
  }

  private paragraph(node: Paragraph): void {
    this.said = wordsOf(node.children)
    this.none ||= SAYS_NONE.test(this.said.trim())
    if (!this.none) this.fields ??= this.inSentence(node)
  }

  /** A second table describes the inside of a field that the sentence before it names. */
  private add(more: readonly DocumentField[]): void {
    if (this.fields === undefined) {
      this.fields = [...more]
      return
    }
    const index = this.fields.findIndex(({ name, type }) => mentions(this.said, name, type))
    const field = this.fields[index]
    if (field !== undefined) this.fields[index] = { ...field, fields: [...field.fields, ...more] }
  }

  private inTable(node: Table): DocumentField[] {
    const table = readTable(node, this.lines)
    const columns = columnsOf(table)
    return table.rows.flatMap(({ cells: given, location }): DocumentField[] => {
      const cells = joinedCode(given)
      const cell = (index: number): string => (index < 0 ? '' : (cells[index] ?? '').trim())
      const [bare, mark] = withoutMarks(cell(columns.name))
      // One row for several parameters: `x`, `y`.
      const names = splitOutside(bare, ',').map((name) => fieldName(name))
      if (isNoName(bare) || !names.every((name) => name !== undefined)) return []
      // A torn cell takes the next one with it: `No` and the description may be in one.
      const [type, afterType] = torn(cell(columns.type), /^`([^`]+)`\s+(\S.*)$/s)
      const [answer, afterRequired] = torn(cell(columns.required), /^(yes|no)\s+(\S.*)$/is)
      const stated = statedYesOrNo(answer)
      const value = statedDefault(cell(columns.default))
      const about = {
        location,
        type: type || undefined,
        default: value.default,
        description: cell(columns.description) || afterRequired || afterType,
        fields: [],
      }
      const required = stated === undefined ? (value.required ?? mark) : stated !== columns.inverted
      return names.map(({ name, optional }) => ({ ...about, name, required: optional ? false : required }))
    })
  }

  /** A typed argument must be given, unless it has a default or the mark of an optional one. */
  private withRequired<F extends FieldText>(field: F): F {
    return this.side === 'input' ? { ...field, required: field.required ?? true } : field
  }

  private inList({ children }: List, depth: number): DocumentField[] | undefined {
    if (depth > MAX_DEPTH) return undefined
    const items = children.map((item) => this.inItem(item, depth))
    const fields = items.filter((item) => item !== undefined)
    return fields.length * 2 >= items.length ? fields.flat() : undefined
  }

  private inItem({ children: [first, ...nested] }: ListItem, depth: number): DocumentField[] | undefined {
    if (first?.type !== 'paragraph') return undefined
    const list = nested.find((node) => node.type === 'list')
    const inside = list === undefined ? undefined : this.inList(list, depth + 1)
    const opened = openingFields(first, this.lines)
    // `- Each object has:` only leads to the fields below it.
    if (opened === undefined) return wordsOf(first.children).trim().endsWith(':') ? inside : undefined
    return opened.map((field) => ({ ...field, fields: inside ?? [] }))
  }

  /** `a: str`, `b: int = 3`; or, for results, the code in "a dictionary with `status` and `count` (int)". */
  private inSentence(node: Paragraph): DocumentField[] | undefined {
    const codes = node.children.filter((child): child is InlineCode => child.type === 'inlineCode')
    const [first] = codes
    if (first === undefined) return undefined
    const shape = shapeFields(first.value)
    if (shape !== undefined) return shape.map((field) => located(this.withRequired(field), locationOf(first)))
    const rest = wordsOf(node.children.filter((child) => child.type !== 'inlineCode'))
    const isPlainList = /^[\s,.;&]*(?:(?:and|or|\([^()]*\))[\s,.;&]*)*$/.test(rest.slice(0, MAX_REST))
    const isAnnounced = this.side === 'output' && /\b(?:with|contain|includ|keys?\b|fields?\b)/i.test(rest)
    if (!isPlainList && !isAnnounced) return undefined
    const fields = codes
      .flatMap((code) => codeField(code, node.children) ?? [])
      .map((field) => (field.type === undefined ? field : this.withRequired(field)))
    return fields.length > 0 ? fields : undefined
  }
}

const MAX_REST = 500
const SAYS_NONE =
  /^(?:none|nothing|n\/a|(?:(?:this|the) tool )?(?:(?:takes|has|requires|accepts|needs) )?no (?:(?:input|required) )?(?:parameters|arguments|inputs?))\b/i

/** Whether a table lists fields. A result may have fewer columns than parameters. */
const isFieldTable = (node: Table): boolean =>
  isParameterTable(node) || /^\W*(?:field|key|property)\b/i.test(firstColumn(node))
const firstColumn = ({ children: [head] }: Table): string => wordsOf(head?.children[0]?.children ?? [])

/** Whether a sentence is about the inside of a field: it names the field, or its elements ("each task object"). */
function mentions(said: string, name: string, type: string | undefined): boolean {
  if (!/object|dict|array|list|\[/i.test(type ?? '')) return false
  const words = said.toLowerCase().split(/[^a-z0-9_]+/)
  const bare = name.toLowerCase()
  const last = bare.slice(bare.lastIndexOf('_') + 1)
  return [bare, bare.replace(/s$/, ''), last.replace(/s$/, '')].some((word) => word.length > 1 && words.includes(word))
}

/** Cells of which a pipe in code has torn the code apart. */
function joinedCode(cells: readonly string[]): string[] {
  const joined: string[] = []
  for (const cell of cells) {
    const before = joined.at(-1)
    if (before !== undefined && hasOpenCode(before))
      joined[joined.length - 1] = `${before.replace(/\\\s*$/, '')}|${cell}`
    else joined.push(cell)
  }
  return joined
}

const torn = (cell: string, pattern: RegExp): [first: string, rest: string] => {
  const found = pattern.exec(cell)
  return found === null ? [cell, ''] : [found[1] as string, found[2] as string]
}

const hasOpenCode = (cell: string): boolean => cell.split('`').length % 2 === 0

/** A cell of the column of defaults: a value, or that the parameter is required. */
function statedDefault(cell: string): { default: string | undefined; required: boolean | undefined } {
  if (/^\W*required\W*$/i.test(cell)) return { default: undefined, required: true }
  if (cell === '' || /^[\s–—-]+$|^n\/a$/i.test(cell)) return { default: undefined, required: undefined }
  return { default: cell, required: false }
}

const located = (field: FieldText, location: TextLocation): DocumentField => ({
  ...field,
  location,
  description: '',
  fields: [],
})

/** Words for types are not names of fields. */
const TYPE = /^(?:dict|list|str|int|bool|float|string|integer|boolean|number|object|array|null|none|true|false|any)$/i

function codeField(code: InlineCode, siblings: readonly PhrasingContent[]): DocumentField | undefined {
  const field = fieldIn(code.value)
  if (field === undefined || TYPE.test(field.name)) return undefined
  const next = siblings[siblings.indexOf(code) + 1]
  const remark = next?.type === 'text' ? /^\s*\(([^()]{1,120})\)/.exec(next.value)?.[1] : undefined
  const about = remark === undefined ? undefined : fieldRemark(remark)
  return located(about === undefined ? field : { ...field, type: field.type ?? about.type }, locationOf(code))
}

const REMARK = /[ \t]*[([]([^\n]{0,300})/y
const SEPARATOR = /[ \t]*(?:[:：]|[-–—]+(?=[ \t\n]))?[ \t\n]*/y
const PLAIN = /^([A-Za-z_][\w.-]*\??)(?=\s*(?:\(|:|[-–—]\s))/

/** The names that an item begins with, what the brackets after them say, and the description. */
function openingFields(node: Paragraph, lines: Lines): Omit<DocumentField, 'fields'>[] | undefined {
  const { names, end } = openingNames(node)
  if (names.length === 0) return undefined
  const to = endOffset(node)
  let from = end
  let about: Omit<FieldText, 'name'> = { type: undefined, required: undefined, default: undefined }
  REMARK.lastIndex = end
  const bracket = REMARK.exec(lines.text)
  if (bracket !== null) {
    const start = REMARK.lastIndex - (bracket[1] as string).length
    const close = closingBracket(lines.text, start, Math.min(to, REMARK.lastIndex))
    if (close !== undefined) {
      const remark = wordsOf(parseInline(lines, { from: start, to: close }))
      about = fieldRemark(remark)
      from = close + 1
    }
  }
  SEPARATOR.lastIndex = from
  SEPARATOR.exec(lines.text)
  from = Math.min(Math.max(SEPARATOR.lastIndex, from), to)
  const description = readInline(parseInline(lines, { from, to }), lines.text)
  // `name` optional, and so on: without brackets.
  const [word] = /^(?:required|optional)\b/i.exec(description) ?? []
  return names.map((field) => ({
    location: locationOf(node),
    name: field.name,
    type: field.type ?? about.type,
    required: field.required ?? about.required ?? (word === undefined ? undefined : /^r/i.test(word)),
    default: field.default ?? about.default,
    description,
  }))
}

/** `x`, `y` and `z`; **x**; or x before a bracket or a colon. */
function openingNames({ children }: Paragraph): { names: FieldText[]; end: number } {
  const [first] = children
  if (first?.type === 'text') {
    const plain = PLAIN.exec(first.value)?.[1] ?? ''
    const field = fieldIn(plain)
    return field === undefined ? { names: [], end: 0 } : { names: [field], end: startOffset(first) + plain.length }
  }
  const names: FieldText[] = []
  let end = 0
  for (const child of children) {
    if (child.type === 'text' && /^\s*(?:,|\/|and)\s*$/.test(child.value)) continue
    const isMarked = child.type === 'inlineCode' || child.type === 'strong'
    const field = isMarked ? fieldIn(wordsOf([child]).replace(/:\s*$/, '')) : undefined
    if (field === undefined) break
    names.push(field)
    end = endOffset(child)
  }
  return { names, end }
}

/** Where the bracket that is open here closes, on the same line. */
function closingBracket(text: string, from: number, to: number): number | undefined {
  let open = 1
  for (let at = from; at < to; at++) {
    if ('(['.includes(text[at] as string)) open++
    else if (')]'.includes(text[at] as string) && --open === 0) return at
  }
  return undefined
}
