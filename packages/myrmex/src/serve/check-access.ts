/** Refuses what the listener would refuse about callers, for commands that do much before they listen. */
import type { Policy } from '../pipeline/rules/policy.ts'
import { type AccessFlags, accessFlags } from './options.ts'

/** Throws RegistrationError: no token where one is needed, or a host, origin or proxy that cannot be named. */
export async function checkAccess(
  host: string,
  flags: AccessFlags,
  policy: Policy,
  requireToken = false,
): Promise<void> {
  const { guard } = await import('../transport/http/guard.ts')
  const token = process.env.MYRMEX_TOKEN
  guard({ host, policy, requireToken, ...accessFlags(flags), ...(token !== undefined && { token }) })
}
