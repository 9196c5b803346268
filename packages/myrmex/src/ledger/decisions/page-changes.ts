/** Changes of the page of an app in words. Its definition has only the hash; the ledger keeps the texts. */
import { isObject } from '../../protocol/json.ts'
import { pageDifferences } from '../../tool/difference/page-differences.ts'
import { placeInWords } from '../../tool/difference/place-in-words.ts'
import type { ToolBody } from '../../tool/verify/verify-tool.ts'
import type { PageStore } from '../pages.ts'

/** Lines about these say nothing that a person could judge. */
const UNREADABLE = ['hash', 'characters'].map((field) => placeInWords(['listing', 'page', field]))

/** The same changes, with those of the page in place of its hash. `name` is that of the definition. */
export async function withPageChanges(
  pages: PageStore,
  name: string,
  changes: readonly string[],
  [before, after]: readonly [ToolBody, ToolBody],
): Promise<readonly string[]> {
  const [old, now] = [hashOf(before), hashOf(after)]
  if (old === now || now === undefined) return changes
  const [was, is] = [old && (await pages.text(name, old)), await pages.text(name, now)]
  const others = changes.filter((change) => !UNREADABLE.some((place) => change.startsWith(place)))
  if (is === undefined) return changes
  if (was === undefined) return [...others, 'page: the earlier text is not known']
  return [...others, ...pageDifferences(was, is)]
}

function hashOf({ listing }: ToolBody): string | undefined {
  const page = isObject(listing) ? listing.page : undefined
  return isObject(page) && typeof page.hash === 'string' ? page.hash : undefined
}
