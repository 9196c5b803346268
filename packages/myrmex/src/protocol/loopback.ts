/** Names and addresses of this machine. A name that only begins like one, such as `127.0.0.1.evil.example`, is none. */

/** In a Host header, an origin or a URL. */
export const LOOPBACK_NAMES: readonly string[] = ['127.0.0.1', 'localhost', '[::1]']

const LOOPBACK_ADDRESS = /^127(\.\d{1,3}){3}$/

/** Whether a name of a URL, or an address to listen on, is reached from this machine only. */
export const isLoopback = (host: string): boolean =>
  LOOPBACK_NAMES.includes(host) || host === '::1' || LOOPBACK_ADDRESS.test(host)

/** Whether nobody on a network can read or change what is sent there. */
export const isSafeUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
