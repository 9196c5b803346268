/** The three names of a tool: canonical `module.tool`, flat `module_tool` for model APIs, bare `tool` in a one-module server. */
import { ToolError } from '../protocol/errors.ts'
import { sha256 } from './hash.ts'

/** What model APIs accept: [A-Za-z0-9_-], at most this long. */
const MAX_LISTED = 64

/** The name of a run's plan in the list of approvals. No tool has it: approving a call of such a tool would look like approving a plan. */
export const PLAN_NAME = 'run.plan'

/** The name of a run's request for more budget there. */
export const BUDGET_NAME = 'run.budget'

export const bareName = (canonical: string): string =>
  shorten(canonical.slice(canonical.lastIndexOf('.') + 1), canonical)

export const flatName = (canonical: string): string => shorten(canonical.replaceAll('.', '_'), canonical)

/** Two names that flatten alike (`a.b_c`, `a_b.c`) are distinguished by a hash of the canonical name. */
export const hashedName = (canonical: string): string => suffixed(canonical.replaceAll('.', '_'), canonical)

const shorten = (name: string, canonical: string): string =>
  name.length <= MAX_LISTED ? name : suffixed(name, canonical)

const suffixed = (name: string, canonical: string): string =>
  `${name.slice(0, MAX_LISTED - 9)}_${sha256(canonical).slice(0, 8)}`

/** Throws RegistrationError for the first name that occurs twice. `what` is the plural of what has the names. */
export function assertUniqueNames(what: string, names: readonly string[]): void {
  const duplicate = names.find((name, index) => names.indexOf(name) < index)
  if (duplicate !== undefined) throw ToolError.of('RegistrationError', `Two ${what} are named ${duplicate}.`)
}

/** Converts any name to snake case: createIssue, create-issue and Create Issue become create_issue. */
export function toSnakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('.')
    .map((part) => part.replace(/[^a-z0-9_]+/g, '_'))
    .filter((part) => part !== '' && part !== '_')
    .join('.')
}
