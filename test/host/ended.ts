/** What came of a request, without what differs from one folder or call to the next, and what of it has to be the same. */
import { normaliseError, normaliseResult } from './normalise.ts'

export type Ended = Record<string, unknown>

export const ended = (request: Promise<Ended>, folder: string, name: string, own: string): Promise<Ended> =>
  request.then(
    (result) => ({ result: normaliseResult(result, folder) }),
    (error: unknown) => ({ error: normaliseError(error, folder, name, own) }),
  )

/** The host may have put its server before a URI that another server has, too. */
export const withoutUris = (outcome: Ended): unknown =>
  JSON.parse(JSON.stringify(outcome), (key, value) => (key === 'uri' ? 'URI' : value))
