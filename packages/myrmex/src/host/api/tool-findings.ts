/**
 * What the scanner finds in a tool, for every route: the same as on the trust screens of the command line, because it compares the tool
 * with all others that the ledger knows. Results are cached: scanning hundreds of tools takes seconds, and a page reads its list often.
 */
import { findingsOf, type TrackedTool } from '../../ledger/decisions/tracked-tools.ts'
import { getOrMake } from '../../protocol/get-or-make.ts'
import { sha256 } from '../../tool/hash.ts'
import type { Tool } from '../../tool/tool.ts'
import type { VerifyFinding } from '../../tool/verify/finding.ts'

const cache = new Map<string, readonly VerifyFinding[]>()
const MAX_CACHED = 5000

/** One digest for all of a list, which is read for each request. A finding may depend on any other definition that is known. */
const digests = new WeakMap<readonly TrackedTool[], string>()
const digestOf = (known: readonly TrackedTool[]): string =>
  getOrMake(digests, known, () =>
    sha256(
      known.map(({ tool, definition, goneAt }) => `${tool} ${definition.hash} ${goneAt !== undefined}`).join('\n'),
    ),
  )

/** `tools` are those whose code is loaded: their own schemas check their examples. */
export function toolFindings(
  seen: TrackedTool,
  tools: Iterable<Tool>,
  known: readonly TrackedTool[],
): readonly VerifyFinding[] {
  const { hash, origin } = seen.definition
  // Upstreams have no code here.
  const code = origin === 'own' ? [...tools].filter((tool) => tool.hash === hash) : []
  const key = `${seen.tool} ${hash} ${code.length > 0} ${digestOf(known)}`
  const before = cache.get(key)
  if (before !== undefined) return before
  if (cache.size >= MAX_CACHED) cache.clear()
  const found = findingsOf(seen, code, known)
  cache.set(key, found)
  return found
}
