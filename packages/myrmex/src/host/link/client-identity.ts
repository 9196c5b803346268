/** How the host identifies itself to upstreams. */
import type { ClientCapabilities } from '@modelcontextprotocol/client'
import type { JsonObject } from '../../protocol/json.ts'
import { META, MYRMEX_VERSION, UI_EXTENSION } from '../../protocol/versions.ts'

export const HOST_CLIENT_INFO = { name: 'myrmex', version: MYRMEX_VERSION } as const

/** Everything a client of the host might support. Whether one does is only known when the upstream asks. */
export const HOST_CAPABILITIES = {
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
  roots: { listChanged: false },
  // Some servers list apps only to clients that can show them.
  extensions: { [UI_EXTENSION]: { mimeTypes: ['text/html;profile=mcp-app'] } },
} as const satisfies ClientCapabilities

/** Required in every modern request. */
export const modernMeta = (version: string): JsonObject => ({
  [META.protocolVersion]: version,
  [META.clientInfo]: HOST_CLIENT_INFO,
  [META.clientCapabilities]: HOST_CAPABILITIES,
})
