/** What the issuer and the tests use of oidc-provider, which has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export interface OidcClient {
    readonly clientId: string
    readonly clientName?: string
    readonly redirectUris: readonly string[]
    readonly grantTypes: readonly string[]
    grantTypeAllowed(type: string): boolean
  }

  interface Scoped {
    readonly scope?: string
    readonly grantId?: string
  }

  export interface OidcContext {
    readonly path: string
    readonly method: string
    readonly ip: string
    query: Record<string, unknown>
    body: unknown
    type: string
    status: number
    readonly response: { get(header: string): string }
    remove(header: string): void
    readonly req: IncomingMessage
    readonly oidc: {
      readonly route: string
      readonly params?: Readonly<Record<string, unknown>>
      readonly entities: Readonly<Partial<Record<'AuthorizationCode' | 'RefreshToken', Scoped>>>
      /** of a registration: what the client says about itself */
      body?: Record<string, unknown>
      readonly session: { readonly accountId: string }
      readonly result?: { readonly consent?: { readonly grantId?: string } }
      readonly provider: Provider
      readonly client: OidcClient
      readonly requestParamScopes: ReadonlySet<string>
      readonly resourceServers: Readonly<Record<string, unknown>>
    }
  }

  export interface OidcGrant {
    readonly jti?: string
    addOIDCScope(scope: string): void
    addResourceScope(resource: string, scope: string): void
    rejectResourceScope(resource: string, scope: string): void
    save(): Promise<string>
  }

  export interface OidcInteraction {
    readonly uid: string
    readonly returnTo: string
    readonly prompt: {
      readonly name: string
      readonly details: {
        readonly missingOIDCScope?: readonly string[]
        readonly missingResourceScopes?: Readonly<Record<string, readonly string[]>>
      }
    }
    readonly params: Readonly<Record<string, unknown>>
    readonly session?: { readonly accountId?: string }
  }

  export default class Provider {
    constructor(issuer: string, configuration: object)
    proxy: boolean
    readonly Grant: (new (of: {
      clientId: string
      accountId: string
    }) => OidcGrant) & {
      find(id: string): Promise<OidcGrant | undefined>
    }
    readonly Client: { find(id: string): Promise<OidcClient | undefined> }
    use(middleware: (ctx: OidcContext, next: () => Promise<void>) => Promise<void>): void
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<OidcInteraction>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options?: { mergeWithLastSubmission?: boolean },
    ): Promise<void>
    on(event: string, listener: (...args: never[]) => void): this
  }

  class OidcError extends Error {
    constructor(description?: string)
  }
  export const errors: Readonly<
    Record<'InvalidClientMetadata' | 'InvalidGrant' | 'InvalidTarget' | 'InvalidRequest', typeof OidcError>
  >
}
