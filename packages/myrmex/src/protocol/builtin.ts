/**
 * Node's larger modules, loaded without their ES facade. Importing one as an ES module reads all of its exports and so loads
 * unused parts: `node:http` loads undici, `node:crypto` all of WebCrypto. That is a fifth of a server's start-up time.
 */

export const crypto: typeof import('node:crypto') = process.getBuiltinModule('node:crypto')

/** On first use: a server on stdio never needs it. */
export const http = (): typeof import('node:http') => process.getBuiltinModule('node:http')

/** On first use: only code that starts other programs needs it. */
export const childProcess = (): typeof import('node:child_process') => process.getBuiltinModule('node:child_process')

/** On first use: only checks of addresses in foreign schemas need it. */
export const net = (): typeof import('node:net') => process.getBuiltinModule('node:net')

/** On first use: only calls that need approval are checked for one. */
export const isProxy = (value: object): boolean => process.getBuiltinModule('node:util').types.isProxy(value)

/** On first use: only tokens of callers and pages of apps need it. */
export const zlib = (): typeof import('node:zlib') => process.getBuiltinModule('node:zlib')
