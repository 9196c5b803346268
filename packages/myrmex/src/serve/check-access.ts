/** Refuses what the listener would refuse about callers, for commands that do much before they listen. */
import type { SignInConfig } from '../host/config/sign-in-schema.ts'
import type { Policy } from '../pipeline/rules/policy.ts'
import { ToolError } from '../protocol/errors.ts'
import { type AccessFlags, accessFlags } from './options.ts'

/** What decides about callers besides the flags and the policy. */
interface AccessChecks {
  readonly requireToken?: boolean
  readonly signIn?: { readonly config: SignInConfig; readonly port: number } | undefined
}

/** Throws RegistrationError: no token where one is needed, or a host, origin or proxy that cannot be named. */
export async function checkAccess(
  host: string,
  flags: AccessFlags,
  policy: Policy,
  { requireToken = false, signIn }: AccessChecks = {},
): Promise<void> {
  const { guard, TWO_ISSUERS } = await import('../transport/http/guard.ts')
  const token = process.env.MYRMEX_TOKEN
  if (signIn !== undefined) {
    const { signInOrigin } = await import('../host/issuer/origin.ts')
    signInOrigin(signIn.config, host, signIn.port)
    if (policy.jwt !== undefined) throw ToolError.of('RegistrationError', TWO_ISSUERS)
    // Its users have tokens, so no other is needed.
    return
  }
  guard({ host, policy, requireToken, ...accessFlags(flags), ...(token !== undefined && { token }) })
}
