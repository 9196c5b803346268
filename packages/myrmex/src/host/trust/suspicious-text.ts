/**
 * Finds text that must not reach a model: hidden characters, and instructions to the model. Models read everything a server says
 * about itself and its items, so all of it is scanned.
 */

import { getOrMake } from '../../protocol/get-or-make.ts'
import { verifyTexts } from '../../tool/verify/check-texts.ts'
import { hasErrors, type VerifyFinding } from '../../tool/verify/finding.ts'

/** Describes the first error found; undefined if there is none. */
export function firstError(findings: readonly VerifyFinding[]): string | undefined {
  if (!hasErrors(findings)) return undefined
  const [first, ...more] = findings.filter(({ severity }) => severity === 'error')
  return first && `${first.where}: ${first.message}${more.length > 0 ? ` (and ${more.length} more)` : ''}`
}

/** The catalogue is rebuilt whenever any listing changes, so results are cached per item. */
const cache = new WeakMap<object, { readonly suspicion: string | undefined }>()

/** `listed` is a resource, a template or a prompt as its server lists it. */
export function suspicionAbout(listed: object): string | undefined {
  return getOrMake(cache, listed, () => ({ suspicion: firstError(verifyTexts(listed)) })).suspicion
}

/** A server may list ten thousand items: yield to other work after this many. */
const ITEMS_PER_TURN = 50

/** Scans all items ahead of time, so that building the catalogue finds the results cached. */
export async function scanItems(listed: readonly object[]): Promise<void> {
  for (const [index, one] of listed.entries()) {
    if (index % ITEMS_PER_TURN === ITEMS_PER_TURN - 1) await new Promise(setImmediate)
    suspicionAbout(one)
  }
}

/** Scans a server's instructions. */
export const suspicionAboutText = (description: string): string | undefined => firstError(verifyTexts({ description }))
