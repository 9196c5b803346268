/** What we say of ourselves to an upstream. */
import type { ClientCapabilities } from '@modelcontextprotocol/client'
import type { JsonObject } from '../../protocol/json.ts'
import { META, MYRMEX_VERSION } from '../../protocol/versions.ts'

export const HOST_CLIENT_INFO = { name: 'myrmex', version: MYRMEX_VERSION } as const

/** Everything that a client behind us may be able to do. Whether one is there that can is known when the upstream asks. */
export const HOST_CAPABILITIES = {
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
  roots: { listChanged: false },
} as const satisfies ClientCapabilities

/** What every request of the modern era carries. */
export const modernMeta = (version: string): JsonObject => ({
  [META.protocolVersion]: version,
  [META.clientInfo]: HOST_CLIENT_INFO,
  [META.clientCapabilities]: HOST_CAPABILITIES,
})
