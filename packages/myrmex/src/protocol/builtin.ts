/**
 * Node's larger modules, loaded without their ES facade. Importing one as an ES module reads every one of its exports at
 * once, and so loads what nobody asked for: `node:http` brings undici along, `node:crypto` the whole of WebCrypto. That is
 * a fifth of the time a server takes to start.
 */

export const crypto: typeof import('node:crypto') = process.getBuiltinModule('node:crypto')

/** On first use: a server on stdio never needs it. */
export const http = (): typeof import('node:http') => process.getBuiltinModule('node:http')

/** On first use: only what starts other programs needs it. */
export const childProcess = (): typeof import('node:child_process') => process.getBuiltinModule('node:child_process')
