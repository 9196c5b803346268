/** What the tests use of oidc-provider, which has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Grant {
    addOIDCScope(scope: string): void
    addResourceScope(resource: string, scope: string): void
    save(): Promise<string>
  }

  export interface OidcContext {
    readonly oidc: {
      readonly provider: Provider
      readonly client: { readonly clientId: string }
      readonly session: { readonly accountId: string }
      readonly requestParamScopes: ReadonlySet<string>
      readonly resourceServers: Readonly<Record<string, unknown>>
    }
  }

  export default class Provider {
    readonly Grant: new (of: {
      clientId: string
      accountId: string
    }) => Grant
    constructor(issuer: string, configuration: object)
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
    on(event: string, listener: (...args: never[]) => void): this
  }
}
