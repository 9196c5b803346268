/**
 * The browser of somebody who signs in to a host's own issuer, without a screen: it keeps cookies, fills the forms of the pages and follows
 * redirects until one leads to the client.
 */

/** What a page showed. */
export interface SeenPage {
  readonly url: URL
  readonly status: number
  readonly html: string
  readonly headers: Headers
}

export class SignInBrowser {
  readonly #cookies = new Map<string, { value: string; path: string }>()
  /** the pages so far */
  readonly seen: SeenPage[] = []

  /** Follows redirects. Returns the page at the end, or the URL of the client. */
  async open(start: URL, init: RequestInit = {}): Promise<SeenPage | URL> {
    let [url, request] = [start, init]
    for (let count = 0; count < 10; count++) {
      const response = await fetch(url, {
        ...request,
        redirect: 'manual',
        headers: { ...(request.headers as object), cookie: this.cookiesFor(url) },
      })
      this.#keep(url, response.headers.getSetCookie())
      const location = response.headers.get('location')
      if (location === null) {
        const page = { url, status: response.status, html: await response.text(), headers: response.headers }
        this.seen.push(page)
        return page
      }
      const next = new URL(location, url)
      if (next.origin !== start.origin) return next
      url = next
      request = {}
    }
    throw new Error('redirects without end')
  }

  /** Sends the form of a page with its hidden fields. */
  submit(
    page: SeenPage,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<SeenPage | URL> {
    const hidden = [...page.html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(
      ([, name = '', value = '']): [string, string] => [name, value],
    )
    return this.open(page.url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: page.url.origin, ...headers },
      body: new URLSearchParams([
        ...hidden.filter(([name]) => !(name in fields)),
        ...Object.entries(fields),
      ]).toString(),
    })
  }

  /** Signs in where that is asked for, agrees, and returns what the client gets. */
  async signIn(start: URL, user: string, passphrase: string): Promise<URLSearchParams> {
    let now = await this.open(start)
    for (let count = 0; count < 4 && !(now instanceof URL); count++) {
      if (now.html.includes('name="passphrase"')) now = await this.submit(now, { user, passphrase })
      else if (now.html.includes('value="agree"')) now = await this.submit(now, { action: 'agree' })
      else break
    }
    if (now instanceof URL) return now.searchParams
    throw new Error(`the page says: ${textOf(now)}`)
  }

  /** Takes cookies as another program on this machine can set them. */
  plant(cookies: string): void {
    for (const pair of cookies.split('; ')) this.#keep(new URL('http://127.0.0.1/'), [`${pair}; path=/`])
  }

  cookiesFor({ pathname }: URL): string {
    return [...this.#cookies]
      .filter(([, { path }]) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`))
      .map(([name, { value }]) => `${name.split(' ')[0]}=${value}`)
      .join('; ')
  }

  #keep(url: URL, lines: readonly string[]): void {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      const path = /;\s*path=([^;]+)/i.exec(line)?.[1] ?? url.pathname
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) this.#cookies.delete(`${name} ${path}`)
      else this.#cookies.set(`${name} ${path}`, { value, path })
    }
  }
}

export const textOf = ({ html }: SeenPage): string =>
  html
    .replace(/<head>.*<\/head>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
