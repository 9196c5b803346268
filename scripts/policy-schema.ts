/**
 * `node scripts/policy-schema.ts` writes the JSON Schema of myrmex.policy.json, for editors, from the Zod schema that reads
 * it. A test fails when the file is not what this would write.
 */
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { policyJsonSchema } from '../packages/myrmex/src/pipeline/policy-schema.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const file = `${root}packages/myrmex/schema/myrmex.policy.schema.json`

await writeFile(file, JSON.stringify(policyJsonSchema(), null, 2))
// In the form the linter wants.
execFileSync(process.execPath, [`${root}node_modules/@biomejs/biome/bin/biome`, 'format', '--write', file], {
  stdio: ['ignore', 'ignore', 'inherit'],
})
