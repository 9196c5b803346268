/** A sandbox made by bubblewrap. */
import { type Launch, systemProgram, withoutAddedVariables } from './launch.ts'
import { MACHINE_FILES, type SandboxPlan } from './plan.ts'

/**
 * No --new-session: the child already has a session without a terminal, and it must stay in the group that the host signals. No
 * --die-with-parent: SIGTERM to the group would end bwrap at once, and the child without time to finish. The reaper ends the group.
 */
export function bwrapLaunch(plan: SandboxPlan, program: string, args: readonly string[], env: Launch['env']): Launch {
  const { own, state, nothing, hiddenFolders, hiddenFiles, readOnly, write, privateFolders, network, cwd } = plan
  const options = [
    ['--unshare-user', '--unshare-pid', '--unshare-ipc', '--cap-drop', 'ALL'],
    network ? [] : ['--unshare-net'],
    [write === undefined ? '--bind' : '--ro-bind', '/', '/'],
    ['--dev', '/dev', '--proc', '/proc', '--ro-bind', '/sys', '/sys'],
    // bwrap leaves them writable for root.
    ...MACHINE_FILES.map((path) => ['--ro-bind-try', path, path]),
    ...privateFolders.flatMap(({ path, keep }) => [
      ['--tmpfs', path],
      ...keep.map((kept) => ['--ro-bind', kept, kept]),
    ]),
    ...(write ?? []).map((path) => ['--bind', path, path]),
    ...readOnly.map((path) => ['--ro-bind', path, path]),
    ...hiddenFolders.map((path) => ['--tmpfs', path, '--remount-ro', path]),
    ...hiddenFiles.map((path) => ['--ro-bind', nothing, path]),
    // Last: its source is in the folder that it replaces.
    ['--bind', own, state],
    ['--chdir', cwd, '--', ...withoutAddedVariables(env, [program, ...args])],
  ]
  return { command: systemProgram('bwrap'), args: options.flat(), env, cwd: '/', isWrapped: true }
}
