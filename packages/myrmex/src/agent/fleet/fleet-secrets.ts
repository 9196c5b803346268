/** The names under which a fleet may be given a secret, by the tools that it lists at the moment. */
import type { SecretNames } from '../../protocol/secret.ts'
import { secretNamesOf } from '../brain/known-secrets.ts'
import type { Fleet } from './fleet.ts'

export function fleetSecretNames(fleet: Fleet): SecretNames {
  let revision: number | undefined
  let names: SecretNames | undefined
  const listed = (): SecretNames => {
    const { registry } = fleet.server
    if (names === undefined || registry.revision !== revision) names = secretNamesOf(fleet.views())
    revision = registry.revision
    return names
  }
  // Tools may be listed at any time.
  return { size: 1, has: (name) => name !== '' && listed().has(name) }
}
