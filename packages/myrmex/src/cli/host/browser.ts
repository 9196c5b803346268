/** Opens an address in the browser of the person at this machine. If there is none, the address that was printed is enough. */
import { childProcess } from '../../protocol/builtin.ts'

const OPENERS: Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  // Not `start`: that is a shell, to which & in an address means something.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

export function openBrowser(address: string): void {
  const { protocol, href } = new URL(address)
  if (protocol !== 'https:' && protocol !== 'http:') return
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = childProcess().spawn(program, [...args, href], { detached: true, stdio: 'ignore' })
  child.on('error', () => {})
  child.unref()
}
