/**
 * What speaks against showing somebody's words to a model: characters that nobody sees, and orders to the model. It is looked for in
 * all that a server says of itself and of what it offers, since all of it is read by models.
 */

import { verifyTexts } from '../../tool/verify/check-texts.ts'
import { hasErrors, type VerifyFinding } from '../../tool/verify/finding.ts'

/** The first of what was found, in words; undefined: nothing that would keep anybody from it. */
export function firstError(findings: readonly VerifyFinding[]): string | undefined {
  if (!hasErrors(findings)) return undefined
  const [first, ...more] = findings.filter(({ severity }) => severity === 'error')
  return first && `${first.where}: ${first.message}${more.length > 0 ? ` (and ${more.length} more)` : ''}`
}

/** A listing is arranged anew whenever another one changes. */
const known = new WeakMap<object, { readonly doubt: string | undefined }>()

/** About a resource, a template or a prompt as its server lists it. */
export function suspicionAbout(listed: object): string | undefined {
  let found = known.get(listed)
  if (found === undefined) {
    found = { doubt: firstError(verifyTexts(listed)) }
    known.set(listed, found)
  }
  return found.doubt
}

/** A server may list ten thousand of them: others must have their turn in between. */
const PORTION = 50

/** All of them, before they are arranged, so that arranging them finds it done. */
export async function scanItems(listed: readonly object[]): Promise<void> {
  for (const [index, one] of listed.entries()) {
    if (index % PORTION === PORTION - 1) await new Promise(setImmediate)
    suspicionAbout(one)
  }
}

/** About what a server says of its use. */
export const suspicionAboutText = (description: string): string | undefined => firstError(verifyTexts({ description }))
