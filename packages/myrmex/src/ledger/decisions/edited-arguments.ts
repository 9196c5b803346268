/**
 * Arguments that a person changed before approving a call. They are checked here as far as the ledger knows the tool: against the input schema of
 * the definition that the approval is for. A person does not see secrets, and can write none: where `[secret]` is left in its place, the value
 * that the caller sent is used, and it is never stored.
 */
import { canonical, whyUnwritable } from '../../protocol/canonical.ts'
import { ToolError } from '../../protocol/errors.ts'
import { issueTexts } from '../../protocol/issue.ts'
import { isObject, type Json, type JsonObject, pointer } from '../../protocol/json.ts'
import { compileSchema } from '../../protocol/schema.ts'
import { isSecretPath, SECRET } from '../../protocol/secret.ts'
import { sha256 } from '../../tool/hash.ts'
import { BUDGET_NAME, PLAN_NAME } from '../../tool/name.ts'
import type { Ledger } from '../ledger.ts'
import type { Approval } from './approvals.ts'

/** A change that fits the approval. */
export interface ArgumentEdit {
  /** canonical JSON without secrets */
  readonly args: string
  /** of the changed call; null if it keeps a secret, which nobody but the caller knows */
  readonly hash: string | null
}

const SECRET_TEXT = JSON.stringify(SECRET)

type Path = readonly (string | number)[]

/** Undefined: the arguments are as they were. Throws ValidationError or SchemaError if the call cannot be changed, or not like this. */
export async function editArguments(
  ledger: Ledger,
  approval: Approval,
  given: unknown,
): Promise<ArgumentEdit | undefined> {
  const { id, tool, hash } = approval
  const why = whyUnwritable(given)
  if (!isObject(given) || why !== undefined)
    throw invalid(`The arguments must be a JSON object${why === undefined ? '' : `, and contain ${why}`}.`)
  const args = canonical(given)
  if (args === approval.args) return undefined
  if (tool === BUDGET_NAME) return editBudget(approval, given as JsonObject, args)
  if (tool === PLAN_NAME)
    throw invalid(
      `Approval ${id} is for a plan, whose steps cannot be changed. Deny it, and start a run with another plan.`,
    )
  if (approval.editable !== 1)
    throw invalid(
      `The arguments of approval ${id} cannot be changed: it is for a step of a run, an undo, a call with answers of its client, or a request ` +
        'that is not a tool call. Deny it with a note that says what to change.',
    )
  const definition = (await ledger.trust.definitions(tool)).find((one) => one.hash === hash)
  if (definition === undefined)
    throw invalid(
      `The ledger does not have the definition of ${tool} that approval ${id} is for, so nobody can check changed arguments.`,
    )
  const { inputSchema } = JSON.parse(definition.body) as { inputSchema: JsonObject }
  const schema = compileSchema(inputSchema, 'input', 'foreign')
  const before = JSON.parse(approval.args) as Json
  const kept = keptSecrets(before, given, (path) => isSecretPath(path, schema.secrets))
  const parsed = schema.parse(given)
  // The caller's own value was checked when it came, and nobody knows it here.
  const issues = parsed.success ? [] : parsed.issues.filter(({ path }) => !kept.has(path))
  if (issues.length > 0)
    throw ToolError.of('SchemaError', `The changed arguments do not fit ${tool}: ${issueTexts(issues)}`, {
      tool,
      issues: issues.map((issue) => ({ ...issue })),
    })
  if (kept.size > 0) return { args, hash: null }
  return { args, hash: schema.secrets.size > 0 ? ledger.key.mac(args) : sha256(args) }
}

/** Of a request for more budget only the amount can be changed. */
function editBudget({ id, args: before }: Approval, given: JsonObject, args: string): ArgumentEdit {
  const asked = JSON.parse(before) as JsonObject
  const { raise } = given
  const isAmount = typeof raise === 'number' && raise > 0 && (asked.what === 'money' || Number.isInteger(raise))
  if (!isAmount || canonical({ ...given, raise: asked.raise ?? null }) !== before)
    throw invalid(
      `Of approval ${id} only raise can be changed: how much more ${asked.what} the run gets, a${asked.what === 'money' ? ' positive' : ' whole'} number above 0.`,
    )
  return { args, hash: sha256(args) }
}

/** The locations, as JSON Pointers, at which the caller's secret stays. Throws if a secret is added, changed or moved. */
function keptSecrets(before: Json, given: unknown, isSecret: (path: Path) => boolean): ReadonlySet<string> {
  const kept = new Set<string>()
  const left: Place[] = [{ value: given, was: before, path: [] }]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value, was, path } = next
    if (value === SECRET && was === SECRET) kept.add(pointer(path))
    else if (isUnchanged(value, was)) continue
    else if (value === SECRET || (path.length > 0 && isSecret(path))) throw unknownSecret(path)
    else left.push(...placesIn(next))
  }
  return kept
}

/** A value of the changed arguments, and what was in its place. */
interface Place {
  readonly value: unknown
  readonly was: unknown
  readonly path: Path
}

const isUnchanged = (value: unknown, was: unknown): boolean =>
  was !== undefined && canonical(value) === canonical(was) && !hasSecret(was)

const hasSecret = (value: unknown): boolean => canonical(value ?? null).includes(SECRET_TEXT)

function placesIn({ value, was, path }: Place): Place[] {
  if (isObject(value))
    return Object.entries(value).map(([name, item]) => ({
      value: item,
      was: memberOf(was, name),
      path: [...path, name],
    }))
  if (!Array.isArray(value)) return []
  // In a list, nobody could tell whose secret stays where.
  if (hasSecret(was) && canonical(value) !== canonical(was))
    throw invalid(`${pointer(path)} is a list with secrets in it. Leave it as it is, or remove it.`)
  return value.map((item, index) => ({
    value: item,
    was: Array.isArray(was) ? was[index] : undefined,
    path: [...path, index],
  }))
}

const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

const unknownSecret = (path: Path): ToolError =>
  invalid(
    `${pointer(path)} is secret, and nobody but the caller knows its value. Leave ${SECRET_TEXT} where it is, or remove the field.`,
  )

/** The changed arguments with the secrets of those that the caller sent, wherever they were left in place. */
export function withKeptSecrets(edited: Json, sent: unknown): Json {
  if (edited === SECRET) return (sent === undefined ? SECRET : sent) as Json
  if (Array.isArray(edited))
    return edited.map((item, index) => withKeptSecrets(item as Json, Array.isArray(sent) ? sent[index] : undefined))
  if (!isObject(edited)) return edited
  const all: JsonObject = {}
  for (const [name, item] of Object.entries(edited)) {
    Object.defineProperty(all, name, {
      value: withKeptSecrets(item as Json, memberOf(sent, name)),
      enumerable: true,
      writable: true,
      configurable: true,
    })
  }
  return all
}

const invalid = (message: string): ToolError => ToolError.of('ValidationError', message)
