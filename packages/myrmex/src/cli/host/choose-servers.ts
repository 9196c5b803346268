/** Asks whoever sits at the terminal which servers to take over, where their secrets go, and what may be called. */
import type { ConfiguredTrust } from '../../host/settings.ts'
import { oneLine } from '../../serve/one-line.ts'
import type { ImportCandidate } from './import-candidates.ts'
import { findSecrets, type SecretStorage } from './secrets.ts'
import { endpointText } from './show-candidates.ts'

export interface ImportChoice {
  readonly offers: readonly ImportCandidate[]
  readonly secrets: SecretStorage
  readonly trust: ConfiguredTrust
}

interface GivenOptions {
  readonly secrets: SecretStorage | undefined
  readonly trust: ConfiguredTrust | undefined
}

/** Undefined: nobody is there to ask, or does not want to say. */
export async function chooseServers(
  fresh: readonly ImportCandidate[],
  given: GivenOptions,
): Promise<ImportChoice | undefined> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined
  const prompts = await import('@clack/prompts')
  const names = await prompts.multiselect({
    message: 'Which of them should stand behind the host?',
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
          message: `${count === 1 ? 'One of their values looks like a secret' : `${count} of their values look like secrets`}. Where to?`,
          options: [
            { value: 'files', label: 'into files of their own', hint: 'below .myrmex/host/secrets, for you alone' },
            { value: 'env', label: 'into the environment', hint: 'you set the variables before you start the host' },
            { value: 'keep', label: 'into myrmex.json', hint: 'which then must not be checked in' },
          ],
        }))
  if (prompts.isCancel(secrets)) return undefined
  const trust =
    given.trust ??
    (offers.length === 0
      ? 'none'
      : await prompts.select<ConfiguredTrust>({
          message: 'What do you vouch for when one of their tools is first seen?',
          options: [
            { value: 'none', label: 'nothing', hint: 'you look at each before anybody calls it' },
            { value: 'verified', label: 'what only reads', hint: 'may be called, if nothing is hidden in it' },
            { value: 'ask', label: 'what changes state too', hint: 'each such call with your yes' },
            { value: 'trusted', label: 'everything', hint: 'without asking' },
          ],
        }))
  return prompts.isCancel(trust) ? undefined : { offers, secrets, trust }
}
