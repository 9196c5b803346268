/** Rules on the shape of a document: tools, their eight sections, fences that close. */
import { SECTIONS, type SectionId } from '../../document.ts'
import { type Rule, toolRule } from '../finding.ts'
import { quoteText } from '../show-value.ts'

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
      if (tools.length === 0) yield { location: { line: 1, column: 1 }, message }
    },
  },
  {
    name: 'open-fence',
    severity: 'error',
    summary: 'A fenced block is never closed and swallows what follows.',
    *check({ faults }) {
      for (const { location, rule, message } of faults) if (rule === 'open-fence') yield { location, message }
    },
  },
  {
    name: 'unreadable',
    severity: 'error',
    summary: 'Part of the document is too large or too deeply nested to be read.',
    *check({ faults }) {
      for (const { location, rule, message } of faults) if (rule === 'unreadable') yield { location, message }
    },
  },
  toolRule('missing-section', 'error', 'One of the eight sections is not there.', function* ({ parsed }) {
    for (const id of SECTIONS) {
      if (parsed.sections.some((section) => section.id === id)) continue
      yield { location: parsed.location, message: `${named(id)} is missing; add it.` }
    }
  }),
  toolRule('section-order', 'warning', 'The sections do not stand in their order.', function* ({ parsed }) {
    let last: SectionId | undefined
    for (const { id, location, heading } of parsed.sections) {
      if (last === undefined || numberOf(id) >= numberOf(last)) last = id
      else {
        const message = `${quoteText(heading)} is section ${numberOf(id)} and stands after ${named(last)}; move it up.`
        yield { location, message }
      }
    }
  }),
  toolRule('duplicate-section', 'error', 'A section stands twice.', function* ({ parsed }) {
    const seen = new Map<SectionId, number>()
    for (const { id, location } of parsed.sections) {
      const first = seen.get(id)
      if (first === undefined) seen.set(id, location.line)
      else yield { location, message: `${named(id)} was already given in line ${first}; put the two together.` }
    }
  }),
  toolRule('empty-section', 'error', 'Nothing stands below the heading of a section.', function* ({ parsed }) {
    for (const { id, location, empty } of parsed.sections) {
      if (empty) yield { location, message: `${named(id)} is empty; say what it is there for.` }
    }
  }),
]
