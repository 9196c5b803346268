/** What happens in a host, for whoever watches it. */

/** What happened, for whoever watches a host: `server` is its name. */
export type HostChange =
  /** it came up, went down, waits */
  | { readonly kind: 'state'; readonly server: string; readonly state: string }
  /** what it offers has changed */
  | { readonly kind: 'listing'; readonly server: string }
  /** a tool is not what it was when it was first seen, and nobody may call it before somebody has looked */
  | { readonly kind: 'quarantined'; readonly server: string; readonly tool: string }
  /** it was taken in, or taken out, by new settings */
  | { readonly kind: 'added' | 'removed'; readonly server: string }
