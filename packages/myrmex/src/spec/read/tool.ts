/** Reads one tool: the content of each of its sections. */
import type { RootContent } from 'mdast'
import { parseJson } from '../../protocol/json.ts'
import {
  type DocumentTool,
  SECTIONS,
  type Section,
  type SectionId,
  type StatedValue,
  type TextLocation,
} from '../document.ts'
import { type Lines, locationAt } from '../markdown/lines.ts'
import { locationOf, nodesOf, wordsIn } from '../markdown/nodes.ts'
import type { Piece } from './pieces.ts'
import type { FactId } from './section-names.ts'
import { withDetails } from './sections/error-details.ts'
import { errorsIn } from './sections/errors.ts'
import { examplesIn } from './sections/examples.ts'
import * as values from './sections/fact-values.ts'
import { type Fact, type Facts, factsIn } from './sections/facts.ts'
import { nameIn } from './sections/name.ts'
import { textOf } from './sections/section-text.ts'
import { isPlaceholder, nameShape } from './tool-name.ts'
import type { ToolOutline } from './tool-outline.ts'
import { schemasIn } from './tool-schemas.ts'
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
  const { origin, location, definition } = outline
  const title = facts.of('title')
  const names = namesOf(outline, invocationName(pieces('name'), lines) ?? said('name', (words) => words))
  return {
    origin,
    location,
    ...names,
    version: said('version', values.version) ?? outline.version,
    title:
      title === undefined
        ? (outline.title ?? definition?.title)
        : { value: title.text, location: locationAt(lines, title.offset) },
    description: textOf(facts.description, lines) ?? definition?.description,
    sections: sectionsOf(outline),
    ...schemasIn(outline, pieces, lines),
    errors: withDetails(errorsIn(pieces('errors'), lines), pieces('errors'), lines),
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
    dryRun: said('dryRun', values.yesOrNo),
    text: said('text', values.yesOrNo),
    openWorld: said('openWorld', values.yesOrNo),
    icons: said('icons', parseJson),
    meta: said('meta', parseJson),
    deprecatedIn: said('deprecatedIn', (words) =>
      values.yesOrNo(words) === false ? undefined : values.version(words),
    ),
    replacedBy: said('replacedBy', (words) => (values.yesOrNo(words) === false ? undefined : words)),
    migration: textOf(nodesOf(parts.flatMap(({ migration = [] }) => migration)), lines),
  }
}

/** Of a heading and a section, one may be filled in and the other still be the blank of a template. */
function namesOf(
  { name }: ToolOutline,
  stated: StatedValue | undefined,
): Pick<DocumentTool, 'headingName' | 'invocationName' | 'isPlaceholder'> {
  const isBlank = (said: StatedValue | undefined): boolean => said !== undefined && isPlaceholder(said.value)
  if (!isBlank(name)) {
    const invocationName = isBlank(stated) && name !== undefined ? undefined : stated
    return { headingName: name, invocationName, isPlaceholder: isBlank(invocationName ?? name) }
  }
  const isNamed = stated !== undefined && !isBlank(stated) && nameShape(stated.value, true) !== undefined
  return { headingName: isNamed ? undefined : name, invocationName: stated, isPlaceholder: !isNamed }
}

const not = (value: boolean | undefined): boolean | undefined => (value === undefined ? undefined : !value)

interface AllFacts {
  of(id: FactId): Fact | undefined
  readonly description: readonly RootContent[]
}

/** Facts are in section 1, before it, or beside the name. */
function allFacts({ before, parts }: ToolOutline, pieces: (id: SectionId) => readonly Piece[], lines: Lines): AllFacts {
  const outside = factsIn(before, lines)
  const purpose = factsIn(pieces('purpose'), lines, outside.facts)
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

/** A block that defines a tool takes the place of the sections about its members. */
function sectionsOf({ parts, definition }: ToolOutline): Section[] {
  const defined = (['description', 'name', 'inputSchema', 'outputSchema'] as const).flatMap(
    (member, index): Section[] => {
      const id = SECTIONS[index] as SectionId
      const said = definition?.[member]
      if (said === undefined || parts.some((part) => part.id === id)) return []
      return [{ id, heading: member, location: said.location, empty: false }]
    },
  )
  return [...defined, ...parts.map(sectionOf)]
}

const sectionOf = ({ id, opener, pieces }: ToolSection): Section => ({
  id,
  heading: opener.kind === 'block' ? '' : opener.text,
  location: locationOf(opener.node),
  empty: pieces.length === 0,
})

function invocationName(pieces: readonly Piece[], lines: Lines): StatedValue | undefined {
  const found = nameIn(nodesOf(pieces))
  return found === undefined ? undefined : { value: found.value, location: locationAt(lines, found.offset) }
}

/** In the section, or in its heading (`### Idempotent: no`). */
function idempotent(parts: readonly ToolSection[]): StatedValue<boolean> | undefined {
  const part = parts.find(({ id }) => id === 'idempotency')
  if (part === undefined) return undefined
  const inHeading = part.opener.kind === 'block' ? undefined : /[:–—-]\s*(\S.*)$/.exec(part.opener.text)?.[1]
  const nodes = nodesOf(part.pieces)
  const value = values.idempotency(wordsIn(nodes)) ?? (inHeading ? values.idempotency(inHeading) : undefined)
  const at: TextLocation = locationOf(nodes[0] ?? part.opener.node)
  return value === undefined ? undefined : { value, location: at }
}
