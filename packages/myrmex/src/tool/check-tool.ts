/** Everything about a tool's definition that is no schema. Its errors are checked as they are read: declared-errors.ts. */
import { TOOL_NAME_PATTERN } from '../protocol/envelope.ts'
import { isObject } from '../protocol/json.ts'
import { type DefinitionFaults, shown } from './definition-faults.ts'
import { checkListingExtras } from './listing-extras.ts'
import { BUDGET_NAME, PLAN_NAME } from './name.ts'
import type { ToolDefinition } from './tool.ts'

const MAX_NAME = 128
/** The longest time that a timer takes: 24 days. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

const FIELDS: readonly (keyof ToolDefinition)[] = [
  'name',
  'version',
  'title',
  'description',
  'input',
  'output',
  'errors',
  'idempotent',
  'destructive',
  'openWorld',
  'keyed',
  'security',
  'examples',
  'timeout',
  'limit',
  'cacheTtl',
  'deprecatedIn',
  'replacedBy',
  'migration',
  'icons',
  'meta',
  'task',
  'ask',
  'dryRun',
  'undo',
  'run',
]

export function checkTool(definition: ToolDefinition, faults: DefinitionFaults): void {
  faults.onlyFields(FIELDS)
  checkName(definition.name, faults)
  faults.version('version', 'required')
  for (const field of ['description', 'security']) faults.text(field, 'required')
  for (const field of ['title', 'replacedBy', 'migration']) faults.text(field, 'optional')
  for (const field of ['idempotent', 'destructive']) faults.flag(field, 'required')
  for (const field of ['openWorld', 'keyed']) faults.flag(field, 'optional')
  for (const field of ['ask', 'dryRun', 'undo']) faults.callback(field, 'optional')
  faults.callback('run', 'required')
  faults.number('timeout', 1, MAX_TIMEOUT_MS, 'milliseconds')
  faults.number('cacheTtl', 0, Number.MAX_SAFE_INTEGER, 'seconds')
  faults.choice('task', [true, false, 'required', 'later'])
  faults.version('deprecatedIn', 'optional')
  const { deprecatedIn, replacedBy } = definition
  if (replacedBy !== undefined && deprecatedIn === undefined)
    faults.add(`it is replaced by ${shown(replacedBy)}, so deprecatedIn must say since which version`)
  checkExamples(faults)
  checkLimit(definition.limit, faults)
  checkListingExtras(definition, faults)
}

function checkName(name: unknown, faults: DefinitionFaults): void {
  if (typeof name !== 'string' || !TOOL_NAME_PATTERN.test(name) || name.length > MAX_NAME)
    faults.add(
      `${name === undefined ? 'name is missing. A' : 'a'} name is module.tool in lower case, digits and _, at most ${MAX_NAME} long (${TOOL_NAME_PATTERN.source})`,
    )
  else if (name === PLAN_NAME || name === BUDGET_NAME)
    faults.add('the name is reserved for plans and budgets of runs, which are approved under it')
}

const EXAMPLE_FIELDS = ['title', 'arguments', 'data', 'error']

function checkExamples(faults: DefinitionFaults): void {
  for (const [index, example] of faults.list('examples', 'required').entries()) {
    const at = `examples[${index}]`
    if (!isObject(example)) {
      faults.add(`${at} must be an object with arguments, not ${shown(example)}`)
      continue
    }
    faults.onlyFields(EXAMPLE_FIELDS, example, `${at}: `)
    if (!isObject(example.arguments)) faults.add(`${at}.arguments must be an object, not ${shown(example.arguments)}`)
    for (const field of ['title', 'error'])
      if (example[field] !== undefined && typeof example[field] !== 'string')
        faults.add(`${at}.${field} must be a text, not ${shown(example[field])}`)
    faults.json(`examples/${index}`, example)
  }
}

function checkLimit(limit: unknown, faults: DefinitionFaults): void {
  if (limit === undefined) return
  if (!isObject(limit)) return faults.add(`limit must be {calls, per_ms}, not ${shown(limit)}`)
  faults.onlyFields(['calls', 'per_ms'], limit, 'limit: ')
  const { calls, per_ms } = limit
  if (!Number.isSafeInteger(calls) || (calls as number) < 1)
    faults.add(`limit.calls must be a whole number of at least 1, not ${shown(calls)}`)
  if (typeof per_ms !== 'number' || !Number.isFinite(per_ms) || per_ms <= 0)
    faults.add(`limit.per_ms must be a number of milliseconds above 0, not ${shown(per_ms)}`)
}
