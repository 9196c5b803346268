/** Asks at the terminal which servers to import, where to store their secrets, and which tools to trust. */

import { endpointText } from '../../host/config/clients/endpoint-text.ts'
import type { ImportCandidate } from '../../host/config/clients/import-candidates.ts'
import { findSecrets, type SecretStorage } from '../../host/config/secrets/moved-secrets.ts'
import type { ConfiguredTrust } from '../../host/settings.ts'
import { oneLine } from '../../serve/terminal.ts'

export interface ImportChoice {
  readonly offers: readonly ImportCandidate[]
  readonly secrets: SecretStorage
  readonly trust: ConfiguredTrust
}

/** Asks only what is not given. Undefined: there is no terminal, or the questions were cancelled. */
export async function chooseServers(
  fresh: readonly ImportCandidate[],
  given: Partial<Pick<ImportChoice, 'secrets' | 'trust'>>,
): Promise<ImportChoice | undefined> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined
  const prompts = await import('@clack/prompts')
  const names = await prompts.multiselect({
    message: 'Which servers should the host serve?',
    options: fresh.map(({ name, entry }) => ({ value: name, label: name, hint: oneLine(endpointText(entry), 80) })),
    initialValues: fresh.map(({ name }) => name),
    required: false,
  })
  if (prompts.isCancel(names)) return undefined
  const offers = fresh.filter(({ name }) => names.includes(name))
  const count = offers.flatMap(({ name, entry }) => findSecrets(name, entry)).length
  const secrets =
    given.secrets ??
    (count === 0
      ? 'files'
      : await prompts.select<SecretStorage>({
          message: `${count === 1 ? 'One value looks like a secret' : `${count} values look like secrets`}. Where should they be stored?`,
          options: [
            { value: 'files', label: 'in private files', hint: 'in .myrmex/host/secrets, readable only by you' },
            { value: 'env', label: 'in the environment', hint: 'you set the variables before you start the host' },
            { value: 'keep', label: 'in myrmex.json', hint: 'do not commit it then' },
          ],
        }))
  if (prompts.isCancel(secrets)) return undefined
  const trust =
    given.trust ??
    (offers.length === 0
      ? 'none'
      : await prompts.select<ConfiguredTrust>({
          message: 'Which of their tools do you trust when they are first seen?',
          options: [
            { value: 'none', label: 'none', hint: 'you decide about each tool before it can be called' },
            { value: 'verified', label: 'those that only read', hint: 'if the automatic check finds no errors' },
            { value: 'ask', label: 'also those that change state', hint: 'each of their calls needs your approval' },
            { value: 'trusted', label: 'all', hint: 'without approval' },
          ],
        }))
  return prompts.isCancel(trust) ? undefined : { offers, secrets, trust }
}
