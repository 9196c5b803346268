/**
 * The client id metadata document of a host with a public URL: issuers that support such documents read there who signs in, and nobody
 * has to register.
 */
import { CALLBACK_PATH } from './callback-pages.ts'

export const DOCUMENT_PATH = '/oauth/client.json'

export const clientDocument = (origin: string): object => ({
  client_id: `${origin}${DOCUMENT_PATH}`,
  client_name: 'Myrmex host',
  client_uri: origin,
  redirect_uris: [`${origin}${CALLBACK_PATH}`],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  application_type: 'web',
})
