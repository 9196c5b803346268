/**
 * A sandbox that is another user, for a host that runs as root. Files of root with the modes 0700 and 0600, such as those in the state
 * folder, are out of the child's reach, and so are root's processes. It has no further groups, and a home folder of its own.
 *
 * Every server has another user: one from a range that systemd reserves for services without an account. The owner of its home
 * folder says which, so that it keeps its files after a restart.
 */
import { chownSync, existsSync, lstatSync, mkdirSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { makePrivateFolder } from '../../../ledger/private-folder.ts'
import { childProcess, crypto } from '../../../protocol/builtin.ts'
import { ToolError } from '../../../protocol/errors.ts'
import type { ChildEndpoint, SandboxSettings } from '../../settings.ts'
import { type Launch, systemProgram } from './launch.ts'
import type { ProtectedPaths } from './plan.ts'

const FIRST_UID = 61_184
const UIDS = 65_519 - FIRST_UID + 1
/** Beside the state folder, which the children cannot enter. */
const HOMES = '.myrmex-homes'
const TRIAL_MS = 10_000

/** Run as the other user. Prints the first path that it can reach but must not, or cannot reach but must. */
const TRIAL = `
count=$1; shift
while [ "$count" -gt 0 ]; do
  if [ -r "$1" ] || [ -w "$1" ] || [ -x "$1" ]; then echo "can reach $1"; exit 1; fi
  shift; count=$((count - 1))
done
count=$1; shift
while [ "$count" -gt 0 ]; do
  if [ -w "$1" ]; then echo "can change $1"; exit 1; fi
  shift; count=$((count - 1))
done
cd "$1" 2>/dev/null || { echo "cannot enter the working directory $1"; exit 1; }
shift
for path; do [ -r "$path" ] || [ -x "$path" ] || { echo "cannot read $path"; exit 1; }; done
`

interface Account {
  readonly uid: number
  readonly gid: number
}

/** Throws an error that says why the server cannot run as another user. */
export async function userLaunch(
  name: string,
  endpoint: ChildEndpoint & { readonly program: string },
  settings: SandboxSettings,
  more: ProtectedPaths,
  env: Launch['env'],
): Promise<Launch> {
  if (process.getuid?.() !== 0) throw new Error('only a host that runs as root can start children as another user')
  const { program, args, cwd } = endpoint
  const homes = homesFolder(settings.state)
  const given = settings.user === undefined ? undefined : await accountOf(settings.user)
  const { uid, gid, home } = homeOf(homes, name, given)
  const label = `user ${settings.user ?? uid}`
  const named = [program, ...args.filter((arg) => arg.startsWith('/') && existsSync(arg))]
  const hidden = [settings.state, ...settings.hide, ...more.hide].filter((path) => existsSync(path))
  const readOnly = [...settings.readOnly, ...more.readOnly].filter((path) => existsSync(path))
  const wrong = await trial({ uid, gid }, [hidden, readOnly], [cwd, ...named])
  if (wrong !== undefined) throw new Error(`${label} ${wrong}`)
  return {
    command: program,
    args,
    env: { ...env, HOME: home, USER: String(settings.user ?? uid), LOGNAME: String(settings.user ?? uid) },
    cwd,
    // Node drops all further groups when it sets these.
    uid,
    gid,
    isWrapped: false,
  }
}

function homesFolder(state: string): string {
  makePrivateFolder(state)
  const homes = join(dirname(realpathSync(state)), HOMES)
  mkdirSync(homes, { recursive: true, mode: 0o711 })
  const stats = lstatSync(homes)
  if (!stats.isDirectory()) throw replaced(homes)
  if (stats.uid !== 0) throw new Error(`${homes} does not belong to root`)
  return homes
}

function homeOf(homes: string, name: string, given: Account | undefined): Account & { readonly home: string } {
  const home = join(homes, given === undefined ? name : `${name}-${given.uid}`)
  // Its owner becomes the user of the child, and root's folders are given to the child: neither through a link.
  const owner = lstatSync(home, { throwIfNoEntry: false })
  if (owner?.isDirectory() === false) throw replaced(home)
  const isOwn = owner !== undefined && owner.uid !== 0
  // It may come from an archive that root unpacked, with the number of a person.
  if (given === undefined && isOwn && (owner.uid < FIRST_UID || owner.uid >= FIRST_UID + UIDS))
    throw new Error(`${home} belongs to user ${owner.uid}, which is not a number for services. Remove it`)
  const account = given ?? (isOwn ? { uid: owner.uid, gid: owner.uid } : freeAccount(homes, name))
  if (!isOwn) {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    chownSync(home, account.uid, account.gid)
  } else if (owner.uid !== account.uid) throw new Error(`${home} belongs to user ${owner.uid}`)
  return { ...account, home }
}

const replaced = (path: string): ToolError =>
  ToolError.of('PermissionError', `${path} is a link or a file, so no child gets it as its home folder. Remove it.`)

function freeAccount(homes: string, name: string): Account {
  const taken = new Set(readdirSync(homes).map((other) => lstatSync(join(homes, other)).uid))
  // Another host on this machine should choose others.
  const start = crypto.createHash('sha256').update(`${homes}\0${name}`).digest().readUInt32BE() % UIDS
  for (let step = 0; step < UIDS; step++) {
    const uid = FIRST_UID + ((start + step) % UIDS)
    if (!taken.has(uid)) return { uid, gid: uid }
  }
  throw new Error('no user number is left')
}

async function accountOf(user: string | number): Promise<Account> {
  const id = async (flag: string): Promise<number> => {
    const { stdout } = await promisify(childProcess().execFile)(systemProgram('id'), [flag, '--', String(user)])
    return Number(stdout)
  }
  const account = await Promise.all([id('-u'), id('-g')]).catch(() => undefined)
  if (account === undefined && typeof user !== 'number')
    throw new Error(`there is no user ${user}: create it, or leave user out`)
  const [uid, gid] = account ?? [Number(user), Number(user)]
  if (uid === 0) throw new Error(`user ${user} is root`)
  return { uid, gid }
}

/** Returns what is wrong. */
function trial(
  account: Account,
  refused: readonly (readonly string[])[],
  needed: readonly string[],
): Promise<string | undefined> {
  const args = ['-c', TRIAL, 'sh', ...refused.flatMap((paths) => [String(paths.length), ...paths]), ...needed]
  const options = { ...account, cwd: '/', env: {}, timeout: TRIAL_MS, encoding: 'utf8' } as const
  return new Promise((resolve) => {
    childProcess().execFile('/bin/sh', args, options, (error, stdout) => {
      resolve(error === null ? undefined : stdout.trim() || error.message)
    })
  })
}
