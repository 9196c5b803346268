/**
 * The prefix of a server in URIs that could mean the resource of another: `server+URI`. Pages of apps must keep their scheme, because
 * clients accept no other: there the prefix is in front of the authority, as in `ui://server+URI`.
 */

const UI = 'ui://'

/** The plus sign cannot be part of a server name. */
export const prefixOf = (server: string): string => `${/^[a-z]/.test(server) ? '' : 'x'}${server.replaceAll('_', '-')}+`

export const isUiUri = (uri: string): boolean => uri.slice(0, UI.length).toLowerCase() === UI

export const withPrefix = (prefix: string, uri: string): string =>
  isUiUri(uri) && prefix !== '' ? UI + prefix + uri.slice(UI.length) : prefix + uri

/** What may be the prefix of a URI, in lower case, because it is part of a scheme; empty if there is none. */
export function prefixIn(uri: string): string {
  const start = isUiUri(uri) ? UI.length : 0
  return uri.slice(start, uri.indexOf('+', start) + 1).toLowerCase()
}

/** As the server knows it. */
export const withoutPrefix = (prefix: string, uri: string): string =>
  isUiUri(uri) ? UI + uri.slice(UI.length + prefix.length) : uri.slice(prefix.length)
