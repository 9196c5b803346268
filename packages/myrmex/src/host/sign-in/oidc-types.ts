/** What this folder uses of oidc-provider, which has no types of its own and is installed only where people sign in. */
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
  readonly req: IncomingMessage
  readonly oidc: {
    readonly route: string
    readonly params?: Readonly<Record<string, unknown>>
    readonly entities: Readonly<Partial<Record<'AuthorizationCode' | 'RefreshToken', Scoped>>>
    /** of a registration: what the client says about itself */
    body?: Record<string, unknown>
    readonly session?: { readonly accountId?: string }
    readonly result?: { readonly consent?: { readonly grantId?: string } }
    readonly provider: OidcProvider
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

export interface OidcProvider {
  proxy: boolean
  readonly Grant: new (of: { clientId: string; accountId: string }) => OidcGrant
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

type OidcErrors = Readonly<
  Record<
    'InvalidClientMetadata' | 'InvalidGrant' | 'InvalidTarget' | 'InvalidRequest',
    new (
      description?: string,
    ) => Error
  >
>

export interface OidcModule {
  readonly default: new (issuer: string, configuration: object) => OidcProvider
  readonly errors: OidcErrors
}
