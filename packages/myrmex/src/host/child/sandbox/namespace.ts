/**
 * A sandbox made by `unshare` and `mount` of util-linux, in these steps:
 *
 * 1. The outer `unshare` makes namespaces of users, mounts, processes and IPC. In them a shell is root, and process 1.
 * 2. The shell mounts what the plan says.
 * 3. The inner `unshare` makes another namespace of users, in which the child has the number of its user again. Its rights there do
 *    not reach the mounts, which belong to the outer one: it can remove none, not even from namespaces that it makes itself.
 *
 * When the shell ends, so does every process of the child, also those that left its group.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type Launch, systemPath, systemProgram, withoutAddedVariables } from './launch.ts'
import { DEVICES, foldersTo, MACHINE_FILES, type SandboxPlan, stageOf } from './plan.ts'

export function namespaceLaunch(
  plan: SandboxPlan,
  program: string,
  args: readonly string[],
  env: Launch['env'],
): Launch {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
  const unshare = systemProgram('unshare')
  const inner = [
    unshare,
    `--map-user=${uid}`,
    `--map-group=${gid}`,
    '--',
    ...withoutAddedVariables(env, [program, ...args]),
  ]
  const outer = ['--user', '--map-root-user', '--mount', '--pid', '--fork', '--kill-child=SIGKILL', '--ipc']
  const script = namespaceScript(plan, uid === 0)
  return {
    command: unshare,
    args: [...outer, ...(plan.network ? [] : ['--net']), '--', '/bin/sh', '-c', script, 'sh', ...inner],
    env,
    cwd: '/',
    isWrapped: true,
  }
}

/** The shell script that mounts, and then runs its arguments. It is process 1, so it must not be replaced by them. */
function namespaceScript(plan: SandboxPlan, isRoot: boolean): string {
  const { own, state, nothing, hiddenFolders, hiddenFiles, readOnly, write, privateFolders, cwd } = plan
  return [
    'set -e',
    'path=$PATH',
    `export PATH=${quote(systemPath())}`,
    ...(write !== undefined ? readOnlyRoot([...write, own]) : isRoot ? readOnlyBelow('/sys', []) : []),
    'mount -t proc proc /proc',
    ...(isRoot ? MACHINE_FILES.map((path) => ifThere(path, readOnlyMount(path))) : []),
    ...devices(stageOf('/dev', plan)),
    ...privateFolders.flatMap((folder) => emptied(folder, stageOf(folder.path, plan))),
    ...readOnly.map((path) => ifThere(path, readOnlyMount(path))),
    ...hiddenFolders.map((path) => ifThere(path, `mount -t tmpfs -o ro,mode=0500,size=4k tmpfs ${quote(path)}`)),
    ...hiddenFiles.map((path) => ifThere(path, bind(nothing, path, 'bind,ro'))),
    // Last: it is in the folder that it replaces, with everything that was mounted on the way.
    bind(own, state),
    `cd ${quote(cwd)}`,
    'export PATH="$path"',
    'set +e',
    '"$@"',
    'exit $?',
  ].join('\n')
}

/** Not in an `&&` list, where the shell would ignore a failure. */
const ifThere = (path: string, commands: string): string => `if [ -e ${quote(path)} ]; then ${commands}; fi`
const bind = (from: string, to: string, options = 'bind'): string => `mount -o ${options} ${quote(from)} ${quote(to)}`
const readOnlyMount = (path: string): string => bind(path, path, 'bind,ro')

/** Folders that stay writable become mounts of their own, and all others are made read-only. */
const readOnlyRoot = (write: readonly string[]): string[] => [
  ...write.map((path) => `mount --rbind ${quote(path)} ${quote(path)}`),
  ...readOnlyBelow('', write),
]

/** A mount that is covered by another one cannot be reached, and so not be changed. */
const readOnlyBelow = (root: string, except: readonly string[]): string[] => [
  'while read -r _ _ _ _ at _; do',
  `  case $at in *\\\\*) at=$(printf '%b' "$at") ;; esac`,
  '  case $at in',
  ...except.map((path) => `    ${quote(path)}|${quote(path)}/*) ;;`),
  `    ${root === '' ? '*' : `${root}|${root}/*`}) mount -o remount,bind,ro "$at" || ! mountpoint -q "$at" ;;`,
  '  esac',
  'done </proc/self/mountinfo',
]

/** The folder is prepared, because each program that the shell runs takes a millisecond or two. */
function devices(stage: string): string[] {
  const at = (name: string): string => quote(join(stage, name))
  return [
    ...DEVICES.map((name) => `mount --bind /dev/${name} ${at(name)}`),
    `mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts ${at('pts')}`,
    `mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs ${at('shm')}`,
    `mount --rbind ${quote(stage)} /dev`,
    // Files that are created there would be in the prepared folder.
    'mount -o remount,bind,ro /dev',
  ]
}

function emptied({ path, keep }: SandboxPlan['privateFolders'][number], stage: string): string[] {
  if (keep.length === 0) return [`mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs ${quote(path)}`]
  const inStage = (kept: string): string => quote(join(stage, kept.slice(path.length)))
  const folders = [...new Set(keep.flatMap((kept) => foldersTo(kept, path)))]
  return [
    `mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs ${quote(stage)}`,
    ...folders.map((folder) => `mkdir ${inStage(folder)}`),
    ...keep.map((kept) => {
      const make = statSync(kept).isDirectory() ? 'mkdir' : ': >'
      return `${make} ${inStage(kept)}; mount --rbind ${quote(kept)} ${inStage(kept)}`
    }),
    `mount --rbind ${quote(stage)} ${quote(path)}`,
  ]
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
