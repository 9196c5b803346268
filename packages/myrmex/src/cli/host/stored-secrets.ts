/** Says where the secrets of servers went that were added to myrmex.json, and which may be left in it. */
import type { HostFileEdit } from '../../host/config/edit-host-file.ts'
import type { SecretStorage } from '../../host/config/secrets/moved-secrets.ts'
import { print, say } from '../../serve/terminal.ts'

export function showStored({ path, secrets, storage, inline }: HostFileEdit): void {
  if (secrets.length > 0) print(NOTICES[storage](secrets.map(({ variable }) => variable).join(', ')))
  for (const name of inline)
    say(`${name} has what looks like a secret in its arguments or URL, and it is in ${path} unchanged`)
}

const NOTICES: Readonly<Record<SecretStorage, (names: string) => string>> = {
  files: (names) => `Secrets are in private files in .myrmex/host/secrets: ${names}`,
  env: (names) => `Set these in the environment of the host: ${names}`,
  keep: (names) => `Secrets are in the file itself; do not commit it: ${names}`,
}
