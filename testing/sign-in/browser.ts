/** A person at a browser without a screen: keeps cookies, follows redirects and sends forms, until a page comes that goes nowhere. */

const MAX_STEPS = 20

export interface BrowserPage {
  readonly url: URL
  readonly status: number
  readonly text: string
}

export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>()
  /** every address that it was at */
  readonly visited: URL[] = []

  /** `stopAt`: goes there no more, as where the browser is on another machine than the listener. */
  async open(start: string | URL, stopAt?: (url: URL) => boolean): Promise<BrowserPage> {
    let request: { url: URL; form?: URLSearchParams } = { url: new URL(start) }
    for (let count = 0; count < MAX_STEPS; count++) {
      const { url, form } = request
      this.visited.push(url)
      if (stopAt?.(url)) return { url, status: 0, text: '' }
      const response = await this.#send(url, form)
      const location = response.headers.get('location')
      const text = await response.text()
      if (location !== null) request = { url: new URL(location, url) }
      else {
        const next = formIn(text, url)
        if (next === undefined) return { url, status: response.status, text }
        request = next
      }
    }
    throw new Error(`the pages lead on without end: ${this.visited.at(-1)?.href}`)
  }

  async #send(url: URL, form: URLSearchParams | undefined): Promise<Response> {
    const jar = this.#cookies.get(url.host) ?? new Map<string, string>()
    this.#cookies.set(url.host, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const init = form === undefined ? {} : { method: 'POST', body: form }
    const response = await fetch(url, { redirect: 'manual', headers: { cookie }, ...init })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }
}

/** A form with hidden fields only, as the confirmation of a device code, is sent as it is. */
function formIn(text: string, base: URL): { url: URL; form: URLSearchParams } | undefined {
  const [, action] = /<form [^>]*action="([^"]*)"/.exec(text) ?? []
  if (action === undefined) return undefined
  const form = new URLSearchParams()
  for (const [input] of text.matchAll(/<input [^>]*>/g)) {
    const [, name] = /name="([^"]*)"/.exec(input) ?? []
    const [, value = ''] = /value="([^"]*)"/.exec(input) ?? []
    if (name !== undefined) form.set(name, value)
  }
  return { url: new URL(action, base), form }
}
