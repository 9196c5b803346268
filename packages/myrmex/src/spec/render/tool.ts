/** One tool: its heading and the eight sections. */
import type { ToolBody } from '../../tool/verify/verify-tool.ts'
import type { RecordedExamples } from '../examples/recorded-examples.ts'
import type { MigrationStep } from '../lock/migration-steps.ts'
import { inCode, inLine, writeText } from '../markdown/text.ts'
import { jsonBlock, table } from '../markdown/write-blocks.ts'
import { errorParts } from './errors.ts'
import { exampleParts } from './examples.ts'
import { migrationParts } from './migration.ts'
import { fieldTable, parameterTable } from './schema-table.ts'

/** own: a tool of this platform, of which we know how it fails. elsewhere: one that some server lists. */
export type Origin = 'own' | 'elsewhere'

/** What a document shows besides the definition. */
export interface ToolAddenda {
  readonly origin: Origin
  readonly recorded: RecordedExamples | undefined
  readonly migration: readonly MigrationStep[]
}

/** Parts stand apart by an empty line. */
export function toolParts(body: ToolBody, heading: string, { origin, recorded, migration }: ToolAddenda): string[] {
  return [
    `## ${heading}`,
    `**Version**: ${inLine(body.version)}`,
    '### 1. Tool Purpose and Description',
    ...(body.title === undefined ? [] : [`**Title**: ${inLine(body.title)}`]),
    writeText(body.description),
    properties(body, origin),
    '### 2. Invocation Name',
    inCode(body.name),
    '### 3. Input Schema (Parameters)',
    parameterTable(
      body.inputSchema,
      body.examples.map((example) => example.arguments),
    ),
    '**JSON Schema for `arguments`**:',
    jsonBlock(body.inputSchema),
    '### 4. Output Schema (Return Value)',
    fieldTable(body.outputSchema),
    '**JSON Schema for `data` (on success)**:',
    jsonBlock(body.outputSchema),
    '### 5. Error Handling',
    ...errorParts(body, origin, recorded),
    '### 6. Idempotency',
    ...idempotency(body, origin),
    '### 7. Usage Examples',
    ...exampleParts(body, origin, recorded),
    '### 8. Security Considerations',
    writeText(body.security),
    ...migrationParts(body, migration),
  ]
}

function properties(body: ToolBody, origin: Origin): string {
  const { limit, timeout, cacheTtl, task, deprecatedIn, replacedBy } = body
  const rows = [['Changes state', body.destructive ? 'yes' : 'no']]
  if (timeout !== undefined) rows.push(['Time limit', `${timeout} ms`])
  if (limit !== undefined) rows.push(['Rate limit', `${limit.calls} calls per ${limit.per_ms} ms`])
  else if (origin === 'own') rows.push(['Rate limit', 'none'])
  if (cacheTtl !== undefined) rows.push(['Definition may be kept for', `${cacheTtl} s`])
  if (task !== undefined) rows.push(['Runs as a task', task === false ? 'no' : task])
  if (body.keyed === true) rows.push(['Keyed', 'yes'])
  if (body.undo === true) rows.push(['Can be undone', 'yes'])
  if (body.dryRun === true) rows.push(['Has a dry run', 'yes'])
  if (body.text === true) rows.push(['Returns a text', 'yes'])
  if (body.openWorld !== undefined) rows.push(['Open world', body.openWorld ? 'yes' : 'no'])
  if (body.icons !== undefined) rows.push(['Listed icons', inCode(JSON.stringify(body.icons))])
  if (body.meta !== undefined) rows.push(['Listed metadata', inCode(JSON.stringify(body.meta))])
  if (deprecatedIn !== undefined) rows.push(['Deprecated in', inLine(deprecatedIn)])
  if (replacedBy !== undefined) rows.push(['Replaced by', inCode(replacedBy)])
  return table(['Property', 'Value'], rows)
}

function idempotency({ idempotent, keyed }: ToolBody, origin: Origin): string[] {
  if (idempotent) {
    return ['This tool is **idempotent**: calling it again with the same arguments changes nothing further.']
  }
  const said = 'This tool is **not idempotent**: calling it again with the same arguments may change more.'
  const key = 'With an idempotency key (`myrmex/idempotencyKey`) a call that is repeated gets the result of the first.'
  const sure = 'It keeps the key together with its effect, so a call that broke off may be repeated with the same key.'
  const parts = [said, ...(origin === 'own' ? [key] : []), ...(keyed === true ? [sure] : [])]
  return [parts.join(' ')]
}
