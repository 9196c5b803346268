/**
 * The client id metadata documents of a host with a public URL: issuers that support such documents read there who signs in, and nobody
 * has to register. Each server has a document and a redirect address of its own, so that no issuer can have the answer of another one
 * sent to a login of its own.
 */
import { CALLBACK_PATH } from './callback-pages.ts'

const PATH = '/oauth/client/'
const OF_SERVER = /^\/oauth\/client\/([a-z0-9][\w.-]{0,100})\.json$/

export const documentUrl = (origin: string, server: string): string => `${origin}${PATH}${server}.json`

/** The server that a path belongs to. Every name has a document, so that it does not show which servers there are. */
export const serverOfDocument = (path: string): string | undefined => OF_SERVER.exec(path)?.[1]

export const clientDocument = (origin: string, server: string): object => ({
  client_id: documentUrl(origin, server),
  client_name: 'Myrmex host',
  client_uri: origin,
  redirect_uris: [`${origin}${CALLBACK_PATH}/${server}`],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  application_type: 'web',
})
