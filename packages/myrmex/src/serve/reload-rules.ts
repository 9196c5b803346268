/**
 * Loads the policy and the constitution again when their files change, and on SIGHUP. A broken file changes nothing, and is reported with
 * the location. Both are loaded together, so that no call is judged by one old and one new file that belong together.
 *
 * In a locked ledger, a file can tighten the rules of a running host and not loosen them: who can write it is not the operator.
 */

import { basename, dirname, join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { OperatorLock } from '../ledger/operator/operator-lock.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import { loosenedRules, type Rules } from '../pipeline/rules/loosened-rules.ts'
import type { Policy } from '../pipeline/rules/policy.ts'
import { messageOf } from '../protocol/errors.ts'
import { RULES_FILES } from './file-names.ts'
import { loadRules, type RulesFlags } from './operator-file.ts'
import { clean, say } from './terminal.ts'

export interface RulesWatch {
  /** Callers are admitted as this policy says. Throws if it cannot be used, and then nothing changes. */
  onPolicy: ((policy: Policy) => void) | undefined
  close(): Promise<void>
}

export async function reloadRulesOnChange(
  flags: RulesFlags,
  pipeline: Pipeline,
  lock: Pick<OperatorLock, 'isLocked'>,
): Promise<RulesWatch> {
  const { watch } = await import('chokidar')
  const folder = flags.rulesFolder ?? ''
  const files = [
    flags.policy ?? process.env.MYRMEX_POLICY ?? join(folder, RULES_FILES.policy),
    flags.constitution ?? process.env.MYRMEX_CONSTITUTION ?? join(folder, RULES_FILES.constitution),
  ].map((file) => resolve(file))
  const folders = [...new Set(files.map((file) => dirname(file)))]
  // Folders, because an editor replaces a file.
  const watcher = watch(folders, {
    depth: 0,
    ignoreInitial: true,
    ignored: (seen) => !folders.includes(resolve(seen)) && !files.includes(resolve(seen)),
    awaitWriteFinish: { stabilityThreshold: 50, pollInterval: 10 },
    atomic: true,
  })
  let queue: Promise<void> = Promise.resolve()
  const rules: RulesWatch = {
    onPolicy: undefined,
    async close() {
      process.off('SIGHUP', queued)
      await watcher.close()
      await queue
    },
  }
  const queued = (): void => {
    queue = queue.then(() => reload(flags, pipeline, lock, rules)).catch(report)
  }
  watcher.on('all', (_event, seen) => {
    if (files.includes(resolve(seen))) queued()
  })
  watcher.on('error', report)
  if (process.platform !== 'win32') process.on('SIGHUP', queued)
  await new Promise<void>((ready) => watcher.once('ready', ready))
  return rules

  function report(error: unknown): void {
    const names = [...new Set(files.map((file) => basename(file)))].join(' and ')
    const why = clean(messageOf(error))
    say(`${names} were not reloaded, and nothing changed:\n${why}`)
  }
}

async function reload(
  flags: RulesFlags,
  pipeline: Pipeline,
  lock: Pick<OperatorLock, 'isLocked'>,
  { onPolicy }: RulesWatch,
): Promise<void> {
  const before: Rules = { policy: pipeline.policy, constitution: pipeline.constitution }
  const now: Rules = await loadRules(flags)
  if (isDeepStrictEqual(before, now)) return
  const loosened = lock.isLocked ? loosenedRules(before, now) : []
  if (loosened.length > 0) {
    say(
      'the rules were not reloaded, because the ledger is locked and a file cannot loosen them; they apply after a restart:',
    )
    for (const what of loosened) say(`  ${clean(what)}`)
    return
  }
  // Before any rule changes: it may refuse the policy.
  if (!isDeepStrictEqual(callersOf(before.policy), callersOf(now.policy))) onPolicy?.(now.policy)
  pipeline.setRules(now.policy, now.constitution)
  say('the policy and the constitution were reloaded; calls in flight end under the old ones')
  if (!isDeepStrictEqual(before.policy.audit, now.policy.audit)) say('changes of audit apply after a restart')
}

const callersOf = ({ principals, jwt }: Policy): unknown => [principals, jwt]
