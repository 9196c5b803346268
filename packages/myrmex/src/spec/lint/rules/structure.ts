/** Rules about the structure of a document: tools, their eight sections, closed fences. */
import { type MarkdownFault, SECTIONS, type SectionId } from '../../document.ts'
import { formRule, type Rule, toolRule } from '../finding.ts'
import { quoteText } from '../show-value.ts'
import { TEMPLATE } from './template.ts'

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

/** A rule about what the Markdown itself has wrong. */
const markdownRule = (name: MarkdownFault['rule'], summary: string): Rule => ({
  name,
  severity: 'error',
  summary,
  *check({ faults }) {
    for (const { location, rule, message } of faults) if (rule === name) yield { location, message }
  },
})

const numberOf = (id: SectionId): number => SECTIONS.indexOf(id) + 1
const named = (id: SectionId): string => `section ${numberOf(id)} (${HEADINGS[id]})`

/** sections 5 (Error Handling), 6 (Idempotency) and 8 (Security Considerations) */
const namedTogether = (ids: readonly SectionId[]): string => {
  const words = ids.map((id) => `${numberOf(id)} (${HEADINGS[id]})`)
  return `sections ${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

export const STRUCTURE: readonly Rule[] = [
  {
    name: 'no-tool',
    severity: 'error',
    summary: 'The document specifies no tool.',
    *check({ tools, placeholders, saysNoTool }) {
      const message =
        'no tool is specified here. Start each tool with a heading such as "## Tool: `module.tool`", or say that there is none.'
      const isEmpty = tools.length === 0 && placeholders.length === 0 && saysNoTool === undefined
      if (isEmpty) yield { location: { line: 1, column: 1 }, message }
    },
  },
  TEMPLATE,
  markdownRule('open-fence', 'A fenced block is never closed.'),
  markdownRule('unreadable', 'Part of the document is too large or too deeply nested to be read.'),
  formRule('only-listed', 'error', 'A tool is named in a table or a list, and specified nowhere.', function* (tool) {
    const name = quoteText(tool.name ?? '')
    const message = `${name} is only listed. Add a section for it, with a heading such as "## Tool: \`module.tool\`".`
    if (tool.isOnlyListed) yield { location: tool.parsed.location, message, same: '' }
  }),
  formRule('missing-section', 'error', 'One of the eight sections is missing.', function* ({ parsed, isOnlyListed }) {
    const missing = SECTIONS.filter((id) => !parsed.sections.some((section) => section.id === id))
    const [first, ...others] = missing
    if (first === undefined || isOnlyListed) return
    const message =
      others.length === 0 ? `${named(first)} is missing. Add it.` : `${namedTogether(missing)} are missing. Add them.`
    yield { location: parsed.location, message }
  }),
  toolRule('section-order', 'warning', 'The sections are not in their usual order.', function* ({ parsed }) {
    let last: SectionId | undefined
    for (const { id, location, heading } of parsed.sections) {
      if (last === undefined || numberOf(id) >= numberOf(last)) last = id
      else {
        const message = `${quoteText(heading)} is section ${numberOf(id)} and comes after ${named(last)}. Move it up.`
        yield { location, message }
      }
    }
  }),
  toolRule('duplicate-section', 'error', 'A section appears twice.', function* ({ parsed }) {
    const seen = new Map<SectionId, number>()
    for (const { id, location } of parsed.sections) {
      const first = seen.get(id)
      if (first === undefined) seen.set(id, location.line)
      else yield { location, message: `${named(id)} already appears in line ${first}. Merge the two.` }
    }
  }),
  toolRule('empty-section', 'error', 'A section has a heading and no content.', function* ({ parsed }) {
    for (const { id, location, empty } of parsed.sections) {
      if (empty) yield { location, message: `${named(id)} is empty. Write it.` }
    }
  }),
]
