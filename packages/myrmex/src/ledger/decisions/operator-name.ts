/** The name under which decisions of the operator are recorded. */
import { hostname, userInfo } from 'node:os'
import type { Decider } from '../journal/decision.ts'

export function operatorName(): string {
  return `${userName()}@${hostname()}`
}

/** The operator at the command line. */
export const cliOperator = (): Exclude<Decider, string> => ({ name: operatorName(), from: 'cli' })

/** In a container, a user may have a number and no name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`
  }
}
