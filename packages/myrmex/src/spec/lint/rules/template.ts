/** The rule about documents that are copies of a template: one finding, however many blanks are left. */
import { plural } from '../../../protocol/text.ts'
import type { DocumentTool, StatedValue } from '../../document.ts'
import { isBlankText, isPlaceholder } from '../../read/tool-name.ts'
import type { Rule } from '../finding.ts'
import { quoteText } from '../show-value.ts'

export const TEMPLATE: Rule = {
  name: 'unfilled-template',
  severity: 'error',
  summary: 'The blanks of a template are not filled in.',
  *check({ tools, placeholders }) {
    const blanks = [...placeholders, ...tools.map(({ parsed }) => parsed)].flatMap(blanksIn)
    const [first, ...others] = blanks.sort((a, b) => a.location.line - b.location.line)
    if (first === undefined) return
    const more = others.length === 0 ? '' : ` and ${plural(others.length, 'other blank')}`
    const message = `${quoteText(first.value)}${more} of a template ${others.length === 0 ? 'is' : 'are'} not filled in.`
    yield { location: first.location, message: `${message} Replace ${others.length === 0 ? 'it' : 'them'}.` }
  },
}

/** The name, the description and the parameters of a tool, as far as nobody wrote them. */
function blanksIn({
  isPlaceholder: isBlank,
  headingName,
  invocationName,
  description,
  inputTable,
}: DocumentTool): StatedValue[] {
  const name = isBlank ? (headingName ?? invocationName) : undefined
  const texts = description !== undefined && isBlankText(description.value) ? [description] : []
  const rows = (inputTable?.rows ?? [])
    .map(({ cells, location }) => ({ value: cells[0] ?? '', location }))
    .filter(({ value }) => isBlank && isPlaceholder(value))
  return [...(name === undefined ? [] : [name]), ...texts, ...rows]
}
