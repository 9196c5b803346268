/** The rules of `myrmex verify`, applied to the definition in a document. Findings have the line in the document. */

import { verifySchema } from '../../../tool/verify/check-schemas.ts'
import type { VerifyFinding } from '../../../tool/verify/finding.ts'
import { scanDefinition } from '../../../tool/verify/scan/scan-definition.ts'
import type { JsonBlock, TextLocation } from '../../document.ts'
import { pathInto } from '../checked-schema.ts'
import type { Rule, RuleFinding, Severity } from '../finding.ts'
import type { LintedDocument } from '../linted-document.ts'
import { isParsed, type LintedTool, type SchemaPart } from '../linted-tool.ts'
import { isTooDeep, showPath } from '../show-value.ts'

const rule = (name: string, severity: Severity, summary: string): Rule => ({
  name,
  severity,
  summary,
  *check(document) {
    for (const { rule: found, ...fault } of verified(document)) if (found === name) yield fault
  },
})

export const DEFINITION: readonly Rule[] = [
  rule('no-type', 'error', 'The schema of a parameter or field has no type.'),
  rule('no-description', 'warning', 'A parameter has no description.'),
  rule('open-value', 'warning', 'A schema allows any object, or an array of anything.'),
  rule('empty-output', 'warning', 'The output schema does not describe the result.'),
  rule('required-unknown', 'error', 'A schema requires a property that it does not describe.'),
  rule('too-deep', 'error', 'A schema or an example is nested too deeply.'),
  rule('hidden-characters', 'error', 'A text has invisible characters.'),
  rule('mixed-scripts', 'warning', 'A word mixes Latin letters with letters that look like them.'),
  rule('encoded-text', 'error', 'A text is encoded in base64 or hexadecimal digits.'),
  rule('hidden-comment', 'warning', 'A text has an HTML comment.'),
  rule('overrides-instructions', 'error', 'A text tells the model to ignore its instructions.'),
  rule('orders-calls', 'error', 'A text tells the model which tool to call first.'),
  rule('keeps-from-user', 'error', 'A text tells the model to hide something from its user.'),
  rule('bypasses-user', 'error', 'A text tells the model to act against its user, or without asking.'),
  rule('meddles-with-tools', 'error', 'A text tells the model how to use other tools.'),
  rule('asks-for-secrets', 'error', 'A text asks for files, keys or the conversation in an argument.'),
  rule('fakes-markup', 'error', 'A text imitates the markup that tells a model who is speaking.'),
  rule('data-in-url', 'error', 'A text has a URL that would send data of the conversation away.'),
  rule(
    'asks-for-conversation',
    'error',
    'A text asks for the conversation, the system prompt or the reasoning of the model.',
  ),
  rule('sends-data-away', 'error', 'A text has data sent to somebody whom the user did not name.'),
  rule('steers-arguments', 'error', 'A text tells the model what to pass to another tool.'),
  rule('claims-priority', 'error', 'A text claims to rank above the user, the instructions or other tools.'),
  rule('announces-change', 'error', 'A text says that the tool will behave otherwise once it is trusted.'),
  rule('raises-privileges', 'error', 'A text has rights raised, protection switched off or downloaded code run.'),
  rule('persists', 'error', 'A text has something kept for later sessions, or settings changed for good.'),
  rule('orders-harm', 'error', 'A text has data destroyed or falsified, or money moved.'),
  rule('combined-signals', 'warning', 'Several weak signals of an attack are in one definition.'),
]

interface Verified extends RuleFinding {
  readonly rule: string
}

const known = new WeakMap<LintedDocument, readonly Verified[]>()

/** Computed once for a document, although every rule asks. */
function verified(document: LintedDocument): readonly Verified[] {
  const before = known.get(document)
  if (before !== undefined) return before
  const found = [...document.tools.flatMap(inSchemas), ...inTexts(document)]
  known.set(document, found)
  return found
}

function inSchemas(tool: LintedTool): Verified[] {
  const { parsed, input, output } = tool
  const schemas = [parsed.inputSchema, parsed.outputSchema].filter((block) => block !== undefined)
  const deep = [...schemas.filter((block) => isTooDeep(block.value)), ...tool.examples.flatMap((one) => one.tooDeep)]
  return [
    ...deep.map((block) => deepFault(tool, block)),
    ...fromSchema(tool, input, 'inputSchema'),
    ...fromSchema(tool, output, 'outputSchema'),
  ]
}

const deepFault = ({ name }: LintedTool, block: JsonBlock): Verified => ({
  rule: 'too-deep',
  location: block.location,
  message: 'it is nested deeper than 100 levels. Make it flatter.',
  tool: name,
})

const fromSchema = (tool: LintedTool, part: SchemaPart, side: 'inputSchema' | 'outputSchema'): Verified[] =>
  tool
    .withinTimeLimit(part, () => (part.schema === undefined ? [] : verifySchema(part.schema.json, side)))
    .map((one) => placed(tool, one))

/** A finding of `verify` with its location in the document. */
function placed(tool: LintedTool, { rule: name, grade, where, message }: VerifyFinding): Verified {
  const [place, words] = placeOf(tool, where)
  const severity = grade === 'block' ? 'error' : 'warning'
  return {
    rule: name,
    severity,
    location: place,
    message: words === '' ? message : `${words}: ${message}`,
    tool: tool.name,
  }
}

/** Every text of a tool, in the form that `visibleTexts` takes; `call` and `result` are the blocks as they stand. */
function textual({ parsed }: LintedTool): object {
  const value = (block: JsonBlock | undefined): unknown =>
    block !== undefined && isParsed(block) ? block.value : undefined
  return {
    name: (parsed.invocationName ?? parsed.headingName)?.value,
    version: parsed.version?.value,
    title: parsed.title?.value,
    description: parsed.description?.value,
    inputSchema: value(parsed.inputSchema),
    outputSchema: value(parsed.outputSchema),
    errors: Object.fromEntries(parsed.errors.map(({ type, condition }) => [type, condition])),
    security: parsed.security?.value,
    replacedBy: parsed.replacedBy?.value,
    examples: parsed.examples.map(({ title, call, result, otherResults }) => ({
      title,
      call: value(call),
      result: value(result),
      also: otherResults.map(value),
    })),
  }
}

/** The location that a pointer into `textual` leads to, and its name for messages. */
function placeOf({ parsed }: LintedTool, where: string): [TextLocation, string] {
  const [first = '', second = ''] = pathInto(where, undefined).map(String)
  const inside = (block: JsonBlock | undefined, what: string, steps: number): [TextLocation, string] => {
    const rest = where.split('/').slice(1 + steps)
    const path = pathInto(rest.map((step) => `/${step}`).join(''), block?.value)
    return [block?.locationOf(path) ?? parsed.location, path.length === 0 ? what : `${what}, ${showPath(path)}`]
  }
  if (first === 'inputSchema') return inside(parsed.inputSchema, 'input schema', 1)
  if (first === 'outputSchema') return inside(parsed.outputSchema, 'output schema', 1)
  if (first === 'errors') {
    return [parsed.errors.find(({ type }) => type === second)?.location ?? parsed.location, `error ${second}`]
  }
  if (first === 'examples') {
    const example = parsed.examples[Number(second)]
    const [part, index] = where.split('/').slice(3)
    const block = part === 'call' ? example?.call : part === 'result' ? example?.result : undefined
    if (block !== undefined) return inside(block, `example ${Number(second) + 1}`, 3)
    const other = part === 'also' ? example?.otherResults[Number(index)] : undefined
    if (other !== undefined) return inside(other, `example ${Number(second) + 1}`, 4)
    return [example?.location ?? parsed.location, `example ${Number(second) + 1}`]
  }
  const said = first === 'name' ? (parsed.invocationName ?? parsed.headingName) : parsed[first as 'description']
  return [said?.location ?? parsed.location, first]
}

/** The tools of a document are one server's. Notes of the scanner are for people who decide about foreign tools, not for authors. */
function inTexts({ tools }: LintedDocument): Verified[] {
  const context = { own: tools.flatMap(({ name }) => name ?? []), rulesOnly: true }
  return tools.flatMap((tool) =>
    scanDefinition(textual(tool), context)
      .filter(({ grade }) => grade !== 'note')
      .map((finding) => placed(tool, finding)),
  )
}
