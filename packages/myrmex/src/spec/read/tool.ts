/** Reads one tool: the content of each of its sections. */
import type { RootContent } from 'mdast'
import type { DocumentTool, Section, SectionId, StatedValue, TextLocation } from '../document.ts'
import { type Lines, locationAt } from '../markdown/lines.ts'
import { endOffset, locationOf, nodesOf, nodesOfType, startOffset, wordsIn } from '../markdown/nodes.ts'
import { readText } from '../markdown/text.ts'
import type { ToolOutline } from './outline.ts'
import type { Piece } from './pieces.ts'
import type { FactId } from './section-names.ts'
import { errorsIn } from './sections/errors.ts'
import { examplesIn } from './sections/examples.ts'
import * as values from './sections/fact-values.ts'
import { type Fact, type Facts, factsIn } from './sections/facts.ts'
import { nameIn } from './sections/name.ts'
import { schemaIn } from './sections/schema.ts'
import { readTable } from './sections/table.ts'
import type { ToolSection } from './tool-sections.ts'

export function readTool(outline: ToolOutline, lines: Lines): DocumentTool {
  const { parts } = outline
  const pieces = (id: SectionId): readonly Piece[] =>
    parts.filter((part) => part.id === id).flatMap((part) => part.pieces)
  const facts = allFacts(outline, pieces, lines)
  const said = <T>(id: FactId, meaning: (words: string) => T | undefined): StatedValue<T> | undefined => {
    const fact = facts.of(id)
    const value = fact === undefined ? undefined : meaning(fact.words)
    return fact === undefined || value === undefined ? undefined : { value, location: locationAt(lines, fact.offset) }
  }
  const seconds = (words: string): number | undefined => {
    const ms = values.duration(words, 's')
    return ms === undefined ? undefined : ms / 1000
  }
  return {
    location: locationOf(outline.first.node),
    headingName: headingSaid(outline, outline.opening?.name),
    invocationName: invocationName(pieces('name'), lines) ?? said('name', (words) => words),
    version: said('version', values.version) ?? headingSaid(outline, outline.opening?.version),
    title: title(outline, facts.of('title'), lines),
    description: textOf(facts.description, lines),
    sections: parts.map(sectionOf),
    inputTable: tableIn(pieces('input'), lines),
    inputSchema: schemaIn(pieces('input'), lines),
    outputTable: tableIn(pieces('output'), lines),
    outputSchema: schemaIn(pieces('output'), lines),
    errors: errorsIn(pieces('errors'), lines),
    idempotent: idempotent(parts) ?? said('idempotent', (words) => values.idempotency(words)),
    destructive: said('destructive', values.yesOrNo) ?? said('readOnly', (words) => not(values.yesOrNo(words))),
    examples: examplesIn(pieces('examples'), lines),
    security: textOf(nodesOf(pieces('security')), lines),
    timeout: said('timeout', (words) => values.duration(words, 'ms')),
    limit: said('limit', values.rate),
    cacheTtl: said('cacheTtl', seconds),
    task: said('task', values.task),
    keyed: said('keyed', values.yesOrNo),
    undo: said('undo', values.yesOrNo),
    deprecatedIn: said('deprecatedIn', (words) =>
      values.yesOrNo(words) === false ? undefined : values.version(words),
    ),
    replacedBy: said('replacedBy', (words) => (values.yesOrNo(words) === false ? undefined : words)),
  }
}

const not = (value: boolean | undefined): boolean | undefined => (value === undefined ? undefined : !value)

interface AllFacts {
  of(id: FactId): Fact | undefined
  readonly description: readonly RootContent[]
}

/** Facts are in section 1, before it, or beside the name. */
function allFacts({ before, parts }: ToolOutline, pieces: (id: SectionId) => readonly Piece[], lines: Lines): AllFacts {
  const outside = factsIn(before, lines)
  const purpose = factsIn(pieces('purpose'), lines)
  const name = factsIn(pieces('name'), lines)
  const rest = onlyLabels(parts, lines)
  const all: Facts[] = [purpose, outside, name, rest]
  const hasPurpose = parts.some(({ id }) => id === 'purpose')
  return {
    of: (id) => all.find(({ facts }) => facts.has(id))?.facts.get(id),
    description: hasPurpose ? purpose.rest : outside.rest,
  }
}

/** A bold version may have strayed into any other section, but not into an example. */
function onlyLabels(parts: readonly ToolSection[], lines: Lines): Facts {
  const labels = parts.filter(({ id }) => id !== 'examples' && id !== 'purpose' && id !== 'name')
  return factsIn(
    labels.flatMap(({ pieces }) => pieces.filter(({ kind }) => kind === 'label')),
    lines,
  )
}

const sectionOf = ({ id, opener, pieces }: ToolSection): Section => ({
  id,
  heading: opener.text,
  location: locationOf(opener.node),
  empty: pieces.length === 0,
})

const headingSaid = ({ heading }: ToolOutline, value: string | undefined): StatedValue | undefined =>
  heading === undefined || value === undefined ? undefined : { value, location: locationOf(heading.node) }

function invocationName(pieces: readonly Piece[], lines: Lines): StatedValue | undefined {
  const found = nameIn(nodesOf(pieces))
  return found === undefined ? undefined : { value: found.value, location: locationAt(lines, found.offset) }
}

const NO_TITLE = /\b(?:specifications?|documentation|reference|tools|mcp)\b/i

/** A heading that is no name is a title, unless it is the document's. */
function title(outline: ToolOutline, fact: Fact | undefined, lines: Lines): StatedValue | undefined {
  if (fact !== undefined) return { value: fact.text, location: locationAt(lines, fact.offset) }
  const { heading, opening } = outline
  if (heading === undefined || opening !== undefined) return headingSaid(outline, opening?.title)
  const words = heading.text.replace(/^\d+(?:\.\d+)*[.)]?\s+/, '').replace(/^tool\s*:\s*/i, '')
  return words === '' || NO_TITLE.test(words) ? undefined : headingSaid(outline, words)
}

/** Blocks that do not follow each other in the source are joined as paragraphs. */
function textOf(nodes: readonly RootContent[], { text }: Lines): StatedValue | undefined {
  const first = nodes[0]
  if (first === undefined) return undefined
  const runs: RootContent[][] = []
  for (const node of nodes) {
    const run = runs.at(-1)
    const before = run?.at(-1)
    const follows = before !== undefined && text.slice(endOffset(before), startOffset(node)).trim() === ''
    if (run !== undefined && follows) run.push(node)
    else runs.push([node])
  }
  const value = runs.map((run) => readText(run, text)).join('\n\n')
  return value === '' ? undefined : { value, location: locationOf(first) }
}

function tableIn(pieces: readonly Piece[], lines: Lines): DocumentTool['inputTable'] {
  const [table] = nodesOfType(nodesOf(pieces), 'table')
  return table === undefined ? undefined : readTable(table, lines)
}

/** In the section, or in its heading (`### Idempotent: no`). */
function idempotent(parts: readonly ToolSection[]): StatedValue<boolean> | undefined {
  const part = parts.find(({ id }) => id === 'idempotency')
  if (part === undefined) return undefined
  const inHeading = /[:–—-]\s*(\S.*)$/.exec(part.opener.text)?.[1]
  const nodes = nodesOf(part.pieces)
  const value = values.idempotency(wordsIn(nodes)) ?? (inHeading ? values.idempotency(inHeading) : undefined)
  const at: TextLocation = locationOf(nodes[0] ?? part.opener.node)
  return value === undefined ? undefined : { value, location: at }
}
