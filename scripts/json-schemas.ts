/**
 * `node scripts/json-schemas.ts` writes the JSON Schemas of myrmex.policy.json, myrmex.constitution.json, myrmex.fleet.json and
 * myrmex.json (the host's), for editors, from the Zod schemas that read them. Tests fail when the files are not what this would write.
 */
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { fleetJsonSchema } from '../packages/myrmex/src/agent/fleet/config.ts'
import { hostJsonSchema } from '../packages/myrmex/src/host/config/host-schema.ts'
import { constitutionJsonSchema } from '../packages/myrmex/src/pipeline/rules/constitution-schema.ts'
import { policyJsonSchema } from '../packages/myrmex/src/pipeline/rules/policy-schema.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const fileOf = (name: string): string => `${root}packages/myrmex/schema/myrmex.${name}.schema.json`

for (const [name, schema] of [
  ['policy', policyJsonSchema()],
  ['constitution', constitutionJsonSchema()],
  ['fleet', fleetJsonSchema()],
  ['host', hostJsonSchema()],
] as const) {
  await writeFile(fileOf(name), JSON.stringify(schema, null, 2))
  // In the form the linter wants.
  execFileSync(process.execPath, [`${root}node_modules/@biomejs/biome/bin/biome`, 'format', '--write', fileOf(name)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
