/**
 * Files that the host reads: myrmex.json, policy, constitution, fleet, the files of clients, specification documents. Each is read as a
 * file, as the commands do. The result is a value, or a ToolError that names the file.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SeededRandom } from '../../crash/seeded-random.ts'
import { parseFleet } from '../../packages/myrmex/src/agent/fleet/config.ts'
import { readClientServers } from '../../packages/myrmex/src/host/config/clients/client-servers.ts'
import { readHostFile } from '../../packages/myrmex/src/host/config/read-host-file.ts'
import { ToolError } from '../../packages/myrmex/src/protocol/errors.ts'
import { loadConstitution, loadOperatorFile, loadPolicy } from '../../packages/myrmex/src/serve/operator-file.ts'
import { readDocument } from '../../packages/myrmex/src/spec/read.ts'
import { CaseFailure, shown } from '../check-reply.ts'
import { garbled, mutated } from '../generate/mutate.ts'
import { mutatedBytes } from '../generate/mutate-text.ts'
import { toText } from '../generate/odd-values.ts'
import { CONFIG_FILES, DOCUMENT } from '../generate/valid-files.ts'
import { type RunningTarget, randomOf, type Target, type TargetOptions } from '../target.ts'

export const configTarget = (share: number): Target => ({ name: 'config files', share, open })

type Kind = keyof typeof CONFIG_FILES | 'document'

const FLEET = { name: 'fleet', defaultName: 'myrmex.fleet.json', empty: undefined, parse: parseFleet }

const READERS: Record<Kind, (path: string, text: string) => unknown> = {
  host: (path) => readHostFile(path, { HOME: '/nonexistent' }, '/nonexistent'),
  policy: (path) => loadPolicy(path),
  constitution: (path) => loadConstitution(path),
  fleet: (path) => loadOperatorFile<unknown>(path, FLEET),
  client: (path) => readClientServers(path, undefined),
  document: (_path, text) => readDocument(text),
}
const KINDS = Object.keys(READERS) as Kind[]

function hostileFile(random: SeededRandom): { kind: Kind; bytes: Buffer } {
  const kind = random.pick(KINDS)
  if (kind === 'document') {
    let text = DOCUMENT
    for (let times = random.between(1, 6); times > 0; times--) text = garbled(text, random).slice(0, MAX_DOCUMENT)
    return { kind, bytes: Buffer.from(text) }
  }
  const text = toText(mutated(CONFIG_FILES[kind], random, random.between(0, 4)))
  return { kind, bytes: random.often(0.3) ? mutatedBytes(text, text, random) : Buffer.from(text) }
}

const MAX_DOCUMENT = 20_000

function open(options: TargetOptions): RunningTarget {
  const path = join(options.folder, 'file.json')
  return {
    async run(number) {
      const { kind, bytes } = hostileFile(randomOf('config files', options, number))
      writeFileSync(path, bytes)
      try {
        await READERS[kind](path, bytes.toString())
      } catch (thrown) {
        if (thrown instanceof ToolError && (kind === 'document' || thrown.message.includes(path))) return 1
        throw new CaseFailure(`${kind}: ${thrown instanceof Error ? thrown.stack : String(thrown)}`)
      }
      return 1
    },
    describe(number) {
      const { kind, bytes } = hostileFile(randomOf('config files', options, number))
      return `${kind}: ${shown(bytes.toString())}`
    },
    close() {},
  }
}
