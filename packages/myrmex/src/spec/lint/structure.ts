/** Rules on the shape of a document: tools, their eight sections, fences that close. */
import { SECTIONS, type SectionId } from '../document.ts'
import { type Rule, toolRule } from './finding.ts'
import { quoted } from './quote.ts'

const HEADINGS: Readonly<Record<SectionId, string>> = {
  purpose: 'Tool Purpose and Description',
  name: 'Invocation Name',
  input: 'Input Schema (Parameters)',
  output: 'Output Schema (Return Value)',
  errors: 'Error Handling',
  idempotency: 'Idempotency',
  examples: 'Usage Examples',
  security: 'Security Considerations',
}

const numberOf = (id: SectionId): number => SECTIONS.indexOf(id) + 1
const named = (id: SectionId): string => `section ${numberOf(id)} (${HEADINGS[id]})`

export const STRUCTURE: readonly Rule[] = [
  {
    name: 'no-tool',
    severity: 'error',
    summary: 'The document specifies no tool.',
    *check({ tools }) {
      const message = 'no tool is specified here; open each with a heading such as "## Tool: `module.tool`".'
      if (tools.length === 0) yield { place: { line: 1, column: 1 }, message }
    },
  },
  {
    name: 'open-fence',
    severity: 'error',
    summary: 'A fenced block is never closed and swallows what follows.',
    *check({ faults }) {
      for (const { place, rule, message } of faults) if (rule === 'open-fence') yield { place, message }
    },
  },
  {
    name: 'unreadable',
    severity: 'error',
    summary: 'Part of the document is too large or too deeply nested to be read.',
    *check({ faults }) {
      for (const { place, rule, message } of faults) if (rule === 'unreadable') yield { place, message }
    },
  },
  toolRule('missing-section', 'error', 'One of the eight sections is not there.', function* ({ read }) {
    for (const id of SECTIONS) {
      if (read.sections.some((section) => section.id === id)) continue
      yield { place: read.place, message: `${named(id)} is missing; add it.` }
    }
  }),
  toolRule('section-order', 'warning', 'The sections do not stand in their order.', function* ({ read }) {
    let last: SectionId | undefined
    for (const { id, place, heading } of read.sections) {
      if (last === undefined || numberOf(id) >= numberOf(last)) last = id
      else {
        const message = `${quoted(heading)} is section ${numberOf(id)} and stands after ${named(last)}; move it up.`
        yield { place, message }
      }
    }
  }),
  toolRule('duplicate-section', 'error', 'A section stands twice.', function* ({ read }) {
    const seen = new Map<SectionId, number>()
    for (const { id, place } of read.sections) {
      const first = seen.get(id)
      if (first === undefined) seen.set(id, place.line)
      else yield { place, message: `${named(id)} was already given in line ${first}; put the two together.` }
    }
  }),
  toolRule('empty-section', 'error', 'Nothing stands below the heading of a section.', function* ({ read }) {
    for (const { id, place, empty } of read.sections) {
      if (empty) yield { place, message: `${named(id)} is empty; say what it is there for.` }
    }
  }),
]
