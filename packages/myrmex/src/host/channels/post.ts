/** Posts a notice to an address that the operator configured: without redirects, bounded in time, and without its secrets in errors. */

const TIMEOUT_MS = 10_000

export async function post(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const { host } = new URL(url)
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json', 'user-agent': 'myrmex', ...headers },
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((thrown: unknown) => {
    throw new Error(`${host} could not be reached: ${reasonOf(thrown)}`)
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`${host} answered ${response.status}`)
}

/** The path of a webhook is often its secret, so nothing is repeated that may contain it. */
function reasonOf(thrown: unknown): string {
  const { name, cause } = thrown as { name?: string; cause?: { code?: unknown } }
  if (name === 'TimeoutError') return `no answer in ${TIMEOUT_MS / 1000} seconds`
  return typeof cause?.code === 'string' ? cause.code : 'the connection failed'
}
