/** The arguments for bwrap, also on machines without it. test/attacks/child-reach.test.ts runs bwrap with them. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { SandboxSettings } from '../../settings.ts'
import { bwrapLaunch } from './bwrap.ts'
import { planSandbox } from './plan.ts'

const NONE = { hide: [], readOnly: [] }

function place(): { folder: string; settings: SandboxSettings } {
  const folder = realpathSync(mkdtempSync('/tmp/bwrap-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['bin', 'data', 'keys']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'bin/bwrap'), '')
  chmodSync(join(folder, 'bin/bwrap'), 0o755)
  for (const name of ['myrmex.json', 'token']) writeFileSync(join(folder, name), '')
  vi.stubEnv('PATH', `${folder}/bin:${process.env.PATH}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  const hide = [join(folder, 'token'), join(folder, 'keys'), join(folder, 'missing')]
  const readOnly = [join(folder, 'myrmex.json')]
  return {
    folder,
    settings: { kind: 'bwrap', network: true, state: join(folder, '.myrmex'), hide, hidden: [], readOnly },
  }
}

const argsFor = (folder: string, settings: SandboxSettings): string => {
  const child = { program: '/bin/sh', args: ['-c', 'true'], cwd: folder }
  return bwrapLaunch(planSandbox('one', child, settings, NONE), '/bin/sh', child.args, {}).args.join(' ')
}

test.runIf(process.platform === 'linux')(
  'the state folder, secrets and the configuration are covered, and everything else is as it is',
  () => {
    const { folder, settings } = place()
    const args = argsFor(folder, settings)
    const children = `${folder}/.myrmex/host/children/one`
    expect(args).toContain(
      '--unshare-user --unshare-pid --unshare-ipc --cap-drop ALL --bind / / --dev /dev --proc /proc',
    )
    expect(args).toContain(`--ro-bind ${folder}/myrmex.json ${folder}/myrmex.json`)
    expect(args).toContain(`--tmpfs ${folder}/keys --remount-ro ${folder}/keys`)
    expect(args).toContain(`--ro-bind ${children}/nothing ${folder}/token`)
    expect(args).not.toContain('missing')
    expect(args).not.toContain('--unshare-net')
    // After everything that could cover it.
    expect(args).toMatch(
      new RegExp(`--bind ${children}/own ${folder}/.myrmex --chdir ${folder} -- \\S+env .*/bin/sh -c true$`),
    )
  },
)

test.runIf(process.platform === 'linux')('with write, only that is writable; without network there is none', () => {
  const { folder, settings } = place()
  const args = argsFor(folder, { ...settings, write: [join(folder, 'data')], network: false })
  expect(args).toContain('--unshare-net --ro-bind / / ')
  // Its folder is in /tmp, which is emptied: what the configuration names is kept.
  expect(args).toContain(`--tmpfs /tmp --ro-bind ${folder} ${folder}`)
  expect(args).toContain(`--bind ${folder}/data ${folder}/data`)
  expect(args.match(/--bind /g)).toHaveLength(2)
})
