/** The name under which decisions of the operator are recorded. */
import { hostname, userInfo } from 'node:os'

export function operatorName(): string {
  return `${userName()}@${hostname()}`
}

/** In a container, a user may have a number and no name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`
  }
}
