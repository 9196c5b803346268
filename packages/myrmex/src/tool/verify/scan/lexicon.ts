/**
 * The vocabulary of the scanner: words and phrases grouped by what they mean. Rules are written in terms of these groups, so a
 * paraphrase with another word of the same group is found too. Data only; `concepts.ts` looks words up.
 */

/**
 * Verbs by meaning. Every inflected form belongs to the group; the plain form also belongs to `GROUP!`, which marks an order or an
 * infinitive ("send it", "must send") as opposed to a description ("sends it"). `+` doubles the last letter, `/` lists irregular forms.
 */
export const VERBS: Readonly<Record<string, string>> = {
  IGNORE:
    'ignore, disregard, forget+/forgot/forgotten, override/overrode/overridden, overrule, bypass, neglect, dismiss, discard, circumvent, violate, abandon, set aside, pay no attention to, stop following, do not follow, not follow, no longer follow, stop obeying',
  FOLLOW: 'follow, obey, comply with, adhere to, execute, treat, respect, carry out, act on',
  TELL: 'tell/told, inform, mention, reveal, disclose, notify, alert, explain, divulge, acknowledge, discuss, report, expose, show/shown, display, warn, describe, say/said, announce, surface, state, log, confirm with, ask, consult, let, admit',
  REVEAL:
    'reveal, disclose, output, print, repeat, expose, show/shown, display, dump, leak, recite, return, share, include, paste, append, divulge, copy, echo, write/wrote/written, provide, supply',
  HIDE: 'hide/hid/hidden, conceal, withhold/withheld, mask, suppress, obscure, keep/kept',
  READ: 'read, open, load, cat, dump, collect, gather, access, retrieve, fetch, get/got, obtain, extract, harvest, scan+, copy, find/found, locate, view, grab+, look up, search for, steal/stole/stolen, capture, enumerate, list, check, inspect, examine, pull',
  SEND: 'send/sent, forward, upload, post, transmit, exfiltrate, leak, email, mail, submit+, relay, bcc, cc, beacon, smuggle, ship+, deliver, stream, push, publish, report, copy, share, mirror, redirect, route, export, save, write/wrote/written, sync, back up, dispatch, transfer+',
  EXFIL: 'exfiltrate, smuggle, siphon+, steal/stole/stolen, leak',
  EXFILX: 'exfiltrate, siphon+',
  HAND: 'pass, send/sent, include, put, provide, append, attach, paste, place, add, submit+, post, write/wrote/written, supply, insert, embed+, give/gave/given, fill, return, encode, inject, concatenate, prepend, hand over, hand it over, hand, share, copy',
  SET: 'set, change, modify, replace, substitute, redirect, reroute, append, prepend, add, include, insert, put, fill, populate, alter, swap+, overwrite, embed+, attach, adjust, rewrite, tamper, inject, convert, point, switch, hardcode, force, override, multiply, increase, edit, update, default',
  TAMPER:
    'redirect, reroute, alter, swap+, overwrite, tamper, inject, substitute, replace, rewrite, divert, falsify, spoof, hijack, intercept, corrupt, forge, misreport, manipulate',
  CALL: 'call, invoke, use, run+/ran, execute, trigger, utilize, utilise, employ, activate, perform, consult, query',
  CALLX: 'call, invoke, execute, trigger, activate',
  DESTROY:
    'delete, remove, wipe, drop+, erase, destroy, truncate, purge, kill, terminate, shut down, format, disable, uninstall, corrupt, overwrite, stop, reset, clear, revoke',
  DISABLE:
    'disable, turn off, deactivate, switch off, shut off, bypass, skip+, stop, suppress, remove, weaken, circumvent, relax',
  GRANT: 'grant, elevate, escalate, promote, give/gave/given, assign, add, enable, allow, open',
  STORE:
    'remember, memorize, memorise, store, save, persist, write/wrote/written, append, add, record, keep/kept, inject, plant, insert, update, modify, edit',
  PREFER: 'prefer+, choose/chose/chosen, select, favor, favour, pick, prioritize, prioritise, use',
  AVOID:
    'avoid, refrain from, do not use, never use, stop using, not use, do not call, never call, do not rely on, do not trust, ignore, disregard, skip+, forbid+',
  PRETEND: 'pretend, act as, assume, claim, lie, deceive, mislead/misled, fabricate, role-play, impersonate, behave as',
  APPROVE: 'approve, authorize, authorise, confirm, consent, agree, permit, allow',
  PROCEED: 'proceed, continue, respond, answer, reply, return, work, function, start, begin, finish, complete',
  SUPERSEDE:
    'supersede, override, outrank, outweigh, take precedence, takes precedence, take priority, takes priority, trump, overrule, win over, wins over, prevail over, come before, go above, beat',
  TRANSFER:
    'transfer+, pay/paid, wire, withdraw/withdrew, remit, purchase, buy/bought, donate, charge, refund, trade, sell/sold',
}

/** Words and phrases by meaning. */
export const WORDS: Readonly<Record<string, string>> = {
  PRIOR:
    'previous, prior, earlier, preceding, above, foregoing, original, initial, existing, current, former, past, other, default, built-in, built in, predefined',
  ABOVE:
    'above, before, previously, everything, anything, all previous, all prior, so far, what you were told, what you have been told, what you know',
  INSTRUCTION:
    'instruction, instructions, directive, directives, guideline, guidelines, guardrail, guardrails, constraint, constraints, rule, rules, restriction, restrictions, safeguard, safeguards, system prompt, system prompts, system message, directions, policies, policy, prompt, prompts, commands, orders, training, programming, safety, limitations, ethics, alignment, protections, context, safety checks, safety filters, settings, configuration',
  HARDRULE:
    'instruction, instructions, directive, directives, guideline, guidelines, guardrail, guardrails, system prompt, safety guidelines, safety checks, safety policy, safety policies, safety rules, safety measures, safety protocols, security policy, security policies, system message, content policy, restrictions, ethical guidelines, programming, training',
  YOU: 'you, your, yourself',
  AGENT:
    'assistant, agent, agents, assistants, llm, llms, ai, claude, gpt, chatgpt, copilot, cursor, language model, chatbot, gemini, the model, ai model',
  USER: "user, users, user's, human, humans, person, anyone, anybody, operator, owner, end user, end-user, customer, client, them, people, administrator, admin",
  USERONLY: "user, users, user's, human, humans, operator, end user, end-user, anyone, anybody, person",
  NOT: "not, never, don't, do not, must not, should not, shall not, mustn't, shouldn't, avoid, no need to, without, refrain from, rather than, cannot, can't, stop",
  DONT: "do not, don't, never, must not, should not, shall not, mustn't, shouldn't, avoid, no need to, refrain from, not",
  DESCRIBES_NOT:
    "is never, are never, never sends, never stores, never logs, never leaves, never shares, never returns, does not, doesn't, did not, is not, isn't, are not, aren't, will not, won't, cannot, can't, could not, was not, were not",
  SECRETLY:
    'silently, secretly, quietly, covertly, discreetly, stealthily, invisibly, surreptitiously, unnoticed, in the background, behind the scenes, without notice, under the hood, transparently and silently, without a trace, without logging',
  SECRET:
    'credential, credentials, password, passwords, passphrase, secret, secrets, api key, api keys, apikey, apikeys, api-key, access token, access tokens, auth token, auth tokens, session token, session tokens, bearer token, private key, private keys, ssh key, ssh keys, secret key, secret keys, access key, access keys, encryption key, environment variable, environment variables, env var, env vars, env file, cookies, session cookies, seed phrase, recovery phrase, mnemonic, keychain, credit card, credit cards, card number, social security, ssn, tokens, keys, private data, personal data, sensitive data, sensitive information, confidential, pii, browsing history, clipboard, ssh private, authentication token, oauth token, database password, wallet, wallets, two-factor, 2fa, mfa, otp, sensitive files, private files, personal information, private messages, contact list, chat history',
  KEYMATERIAL:
    'credential, credentials, password, passwords, passphrase, api key, api keys, apikey, api-key, access token, access tokens, auth token, auth tokens, session token, bearer token, private key, private keys, ssh key, ssh keys, secret key, secret keys, access keys, environment variables, env vars, env file, seed phrase, recovery phrase, mnemonic, session cookies, ssh private, clipboard, authentication token, oauth token, sensitive data, sensitive files, sensitive information, personal data',
  CONVERSATION:
    "conversation, conversation history, chat history, message history, chat log, system prompt, system prompts, previous messages, context window, chain of thought, reasoning, entire conversation, full conversation, user's messages, user messages, user's prompt, user's query, transcript, system instructions, hidden instructions, full context, entire context, every message, all messages, dialog, dialogue, user's request, internal instructions, your instructions, initial instructions, developer message, all previous tool calls, list of tools, tool list, your prompt, your system, the prompt, internal state, user's original request, conversation context",
  SYSTEMPROMPT:
    'system prompt, system prompts, system instructions, hidden instructions, internal instructions, system message, developer message, chain of thought, conversation history, chat history, entire conversation, full conversation, complete conversation, whole conversation, hidden system instructions, all previous tool calls, your instructions, your prompt, initial instructions, your configuration, conversation context, full context, message history',
  EXTERNAL:
    "external, remote, third party, third-party, outside, attacker, attacker's, offsite, collector, webhook, our server, our servers, our endpoint, our analytics, our logging, our backend, my server, public server, unknown server, c2, dropbox, pastebin, monitoring server, backup server, analytics server, telemetry server, logging server, remote host, analytics endpoint, telemetry endpoint, collection endpoint, remote endpoint, following address, following url, following email, following endpoint, this address, this url, this endpoint, public url, public bucket, public repository, public gist, publicly, attackers, audit server, compliance server",
  ARGUMENT:
    'argument, arguments, parameter, parameters, param, params, field, fields, sidenote, side note, side_note, input, inputs, payload, request body, metadata, header, headers, value, values, body, query string, note, notes, context field, property, option, options, flag',
  DEST: 'recipient, recipients, destination, address, account, owner, path, url, amount, price, endpoint, host, target, branch, repo, repository, body, subject, message, query, to field, to address, phone number, wallet address, receiver, payee, quantity, command, location, title, content, filename, file name, bcc, channel, region, symbol, date, city, email, username, user id, id, price, rate, limit, port, database, table, file, destination account, bank account, recipient address, sender, results, result, output, response, response data, return value',
  TOOL: 'tool, tools, function, functions, server, servers, plugin, plugins, connector, integration, mcp, mcp server, mcp tool',
  OPERATION:
    'operation, operations, action, actions, request, requests, task, tasks, query, queries, command, commands, call, calls, tool call, tool calls, tool use, tool usage, function call, interaction, interactions, step, message, file operation, file operations, transaction, transactions, workflow, workflows, session, prompt, response, responses, reply, step, activity, change, changes, update, updates, access, retrieval, lookup, search, modification, communication, session, analysis, use, usage',
  ALLTOOLS:
    'any tool, any other tool, any tools, any other tools, all tools, all other tools, every tool, every other tool, each tool, any operation, any other operation, all operations, every operation, each operation, any action, any other action, every action, each action, all actions, any request, every request, all requests, each request, any task, every task, all tasks, any command, every command, any query, every query, any call, every call, all calls, each call, any tool call, every tool call, any file operation, any file operations, all file operations, every file operation, each file operation, any function, any other function, any function call, every interaction, any interaction, each interaction, any step, any further action, anything else, anything, everything else, any transaction, every transaction, any response, every response, each response, every message, any message, any other server, other servers, all servers, any server, any other mcp, other functions, any api, any subsequent, all subsequent, any further, any database operation, any database query, any git operation, any search, every search, any file access, any web request, any network request, any email, any message, any payment, any other, all other, every other, each other, all future, any future, every future',
  MUST: "must, shall, always, have to, has to, required, mandatory, obligatory, make sure, makes sure, be sure, it is necessary, it is essential, it is crucial, it is critical, imperative, under all circumstances, at all times, need to, needs to, you need, is required, are required, necessary, compulsory, absolutely, without exception, no exceptions, critical requirement, strictly required, ensure, ensure that, remember to, don't forget to, do not forget to, obliged, non-negotiable, important, critical, never fail to, in all cases, is to be, are to be, it is important",
  STRONGMUST:
    'must, shall, always, mandatory, obligatory, under all circumstances, at all times, imperative, without exception, compulsory, required to, is required, are required, have to, has to, non-negotiable, you need to, critical requirement, strictly required',
  SHOULD: 'should, please, ought to, recommended, be sure to, kindly, needs to, need to, want to, will, can',
  BEFORE: 'before, prior to, ahead of, preceding, in advance of, in preparation for, until',
  BEFOREDOING: 'before, prior to, ahead of, preceding, in advance of',
  FIRST:
    'first, firstly, beforehand, initially, first and foremost, at the start, at the beginning, immediately, as a first step, as the first step, upfront',
  AFTER: 'after, afterwards, then, upon, once, following, on completion, immediately after, subsequently, later',
  WHEN: 'when, whenever, if, every time, each time, any time, anytime, upon, while, during, in case, as soon as, once, after, every call to, all calls to, for every, for each, for all, for any, on every, on each, with every, where',
  WHENEVER:
    'whenever, every time, each time, any time, anytime, for every, for each, for all, for any, on every, on each, with every, all calls to, every call to, any call to, each call to, all requests to, all uses of, any use of, when using, when calling, when invoking, when executing, when you use, when you call, when you invoke, if you use, if you call, when the user asks, if the user asks, when a user asks, when user asks, when asked',
  ANY: 'any, every, all, each, no matter which',
  USING:
    'using, calling, invoking, running, executing, use, uses, call, calls, performing, making, used, called, invoked, executed, run, triggered, performed, use of, usage of, invocation of, calls to, execution of',
  USED: 'is used, is called, is invoked, is run, is executed, is triggered, is performed, are used, are called, are invoked, gets called, gets used, gets invoked, is available, is present, is requested, is made, used, called, invoked, executed, triggered',
  INSTEAD: 'instead, instead of, in place of, rather than, in lieu of, as a replacement for',
  PRIORITY:
    'priority, precedence, highest priority, top priority, higher priority, maximum priority, priority over, precedence over, higher than, more important than, prioritized over, primacy, overriding authority, outranks, above all',
  TOP: 'highest, top, higher, maximum, absolute, utmost, greater, over, above',
  BROKEN:
    'deprecated, disabled, broken, unsafe, forbidden, obsolete, unavailable, insecure, outdated, unreliable, buggy, faulty, compromised, vulnerable, out of service, incomplete, incorrect, inaccurate, prohibited, no longer available, no longer supported, not available, replaced by, superseded by',
  ROOT: 'sudo, root, administrator, admin privileges, admin rights, admin access, administrator privileges, root access, root privileges, superuser, full control, full access, full permissions, all permissions, elevated privileges, elevated permissions, unrestricted access, owner role, admin role, administrator role, root user, write access, admin, superadmin, privileged',
  SECURITY:
    'security, firewall, antivirus, authentication, authorization, ssl, tls verification, certificate verification, logging, audit, auditing, 2fa, mfa, two-factor, sandbox, sandboxing, protection, protections, verification, validation, rate limiting, access control, access controls, monitoring, security checks, safety checks, permission checks, confirmation, confirmations, encryption, access restrictions, security features, security settings, security controls, branch protection, alerts, backups, backup, safeguards, approval, authentication checks, permissions, security measures, safety',
  PERSISTPLACE:
    'authorized_keys, crontab, cron, cron job, .bashrc, .zshrc, .profile, startup script, startup folder, launch agent, systemd, login items, claude.md, agents.md, .cursorrules, cursor rules, mcp config, mcp.json, long-term memory, long term memory, your memory, persistent memory, memory file, system prompt, agent config, mcp configuration, mcp settings, your preferences, your rules, rules file, agent rules, login script, shell profile, .bash_profile, registry run key, git hooks, git hook, post-commit hook, pre-commit hook, hosts file, autostart, claude_desktop_config.json, ssh config',
  FUTURE:
    'from now on, from this point on, from this point forward, in all future, for all future, in future sessions, in all subsequent, for all subsequent, all subsequent, henceforth, going forward, future conversations, future sessions, every future, subsequent conversations, for the rest of, for the remainder of, hereafter, from here on, in every session, every session, all future, across sessions, in subsequent',
  MODE: 'no safety limits, no limits, developer mode, debug mode, god mode, maintenance mode, admin mode, unrestricted mode, jailbreak, jailbroken, dan mode, no restrictions, without restrictions, unfiltered, without safety, root mode, sudo mode, privileged mode, emergency mode, override mode, unrestricted',
  ROLE: 'system, assistant, developer, admin, administrator, system message, system prompt, system note, system override, developer message, system alert, system update, new instructions, new system message, hidden directive, hidden instruction, hidden instructions, secret instruction, secret instructions, note to assistant, note to ai, note to model, note to the assistant, note to the model, note to the ai, note to llm, note for ai, note for the assistant, note for the ai, note for the model, note to agent, note for agents, note for assistants, note for llm, instructions for ai, instructions for assistant, instructions for the model, instructions for the assistant, instructions for the ai, instruction to the model, instruction for the model, instruction for llm, instructions to the assistant, instructions to assistant, assistant instructions, ai instructions, model instructions, agent instructions, llm instructions, hidden note, internal instruction, internal directive, message from anthropic, message from openai, message from the developer, from the developer, system instruction, system instructions, attention ai, attention assistant, attention model, dear assistant, dear ai, dear model, ai assistant, ai agent, to the ai, to the assistant, to the model, for the ai, for the assistant, for the model, for the llm, to the llm, important instruction, special instruction, special instructions, mandatory instruction, secret directive, system directive, operator note, operator message',
  COVERTROLE:
    'hidden directive, hidden instruction, hidden instructions, secret instruction, secret instructions, secret directive, note to assistant, note to ai, note to model, note to the assistant, note to the model, note to the ai, note to llm, note for ai, note for the assistant, note for the ai, note for the model, note to agent, note for llm, assistant instructions, new system message, system override, developer message, system directive, message from anthropic, message from openai, attention ai, attention assistant, attention model, dear assistant, dear ai, hidden note, internal directive, instructions for ai, instructions for the model, instructions for the assistant, instructions for the ai, ai instructions, llm instructions, instruction to the model, note for agents, system alert, system instruction, instructions to the assistant',
  CONFIRMATION:
    'confirmation, permission, consent, approval, asking, confirming, authorization, review, verification, prompting, checking, notice, knowledge, awareness, warning, notification, notifying, informing, telling, alerting',
  WITHOUT: 'without, with no, skipping, bypassing, no need for, no',
  LATER:
    'after approval, once approved, after the approval, post-approval, post approval, after review, after being approved, once this tool has been approved, once trusted, after installation, after the first, later version, once the user approves, after it is trusted, after the hash, approval hash, after being trusted, during review, after verification, once installed, after the audit, once enabled, after it has been approved, a later update, future update, once it is approved, has been approved, after acceptance, when nobody is looking, after the trial, after trust is established, once verified, been whitelisted, is whitelisted, once whitelisted',
  PAYLOAD:
    'payload, malicious, exfiltration, data-exfiltration, backdoor, arbitrary shell commands, arbitrary commands, shell commands, arbitrary code, keylogger, reverse shell, ransomware, trojan, spyware, rootkit, botnet, malware, remote code, remote shell',
  META: 'such as, e.g, for example, for instance, phrases like, strings like, words like, prompts like, texts like, attempts to, tries to, attempting to, asks the agent to, asks you to, ask the reader to, asks to, asked to, ask a model to, the phrase, phrases, attack, attacks, injection, injections, jailbreak attempts, expected output, sample response, mock response, example response, training text, sample text, sample output, example output, test case, test string, illustrative, placeholder, documented example, detection example, sample input, sample prompt, mock reply, canned, fixture, that try to, which try to, that attempt to, prompts that, texts that, messages that, mails that, emails that, content that, an example of, readme shows, documentation shows, example shows, may contain commands',
  DETECT:
    'detects, flags, scans, identifies, analyzes, analyses, prevents, blocks, filters, classifies, recognizes, recognises, sanitizes, sanitises, explains, illustrates, documents, demonstrates, refuses, rejects, lints, moderates, checks whether, checks if, tests whether, tells whether, reports whether, detecting, flagging, explaining, removes secrets, redacts',
  SCANNER:
    'detects, detect, scanner, scans, injection, guardrail, guard, security-testing, red team, red-team, detection, vulnerability, vulnerabilities, phishing, malware, classifier, analyzer, analyser, linter, moderation, secrets-scanner, secret scanner, leaked, leaks, security audit, threat, threats, honeypot, compliance, exposed, sanitizes, redacts, redact, masks',
  SHELL: 'sh, bash, zsh, powershell, cmd.exe, pwsh, /bin/sh, /bin/bash, python -c, iex',
  DOWNLOADER: 'curl, wget, invoke-webrequest, iwr, fetch, certutil',
  ELSE_FAIL:
    'otherwise, or else, will not work, will fail, will not function, will be rejected, cannot proceed, will crash, will be blocked, may fail, will result in, to avoid errors, to prevent errors, will be denied, to prevent data loss, or the tool',
  PRETEXT:
    'for security, for compliance, security check, security protocol, security purposes, compliance purposes, compliance requirement, for verification, verification step, verification purposes, for audit purposes, audit purposes, for safety, safety check, security verification, integrity check, for validation purposes, to ensure security, security policy, security requirement, company policy, regulatory, system requirement, to ensure compliance, for authentication purposes, for debugging purposes, telemetry purposes, for backup purposes, identity verification, security validation, safety protocol, security measure, security reasons, for quality assurance, for optimization, performance optimization, to maintain consistency, system integrity, data integrity, quality control, for safety reasons, environment check, security scan, health check, security audit, permission verification, to verify permissions',
  REGARDLESS:
    'regardless of, no matter what, no matter, irrespective of, even if, even when, whatever, despite, notwithstanding, regardless',
  WANT: "asks, says, wants, requests, requested, specifies, specified, said, told, asked, objects, refuses, declines, instructs, wrote, intended, intends, chooses, user's request, user request, user's input, user input, user's instruction, user's instructions, user instructions, user's wishes, user's choice, user's intent, user intent, user's preference, user specified, user-specified, user provided, user-provided, user's query, user query, user's original, user's actual request, user's actual, user's explicit, original request, original instruction, user's command, user's wish, user's preferences",
  LOCAL:
    'of this server, in this server, of this module, in this module, of this api, in this toolkit, of this toolkit, in this category, from this server, of the session, of this service, in this session, of this package',
  TOBE: 'has to be, have to be, is to be, are to be, must be, should be, needs to be, need to be, must also, has to, have to, should also, must, is required, are required, should always, must always, needs, shall be, is supposed to, ought to be, will be',
  VOID: 'void, cancelled, canceled, lifted, null, no longer apply, no longer applies, no longer valid, no longer count, invalid, suspended, revoked, outdated, superseded, not apply, does not apply, do not apply, removed, waived, off, irrelevant',
  PROTECTED:
    'production, prod, cluster, server, servers, service, database, backups, backup, reservations, orders, records, messages, files, users, accounts, branches, tables, table, repository, alerts, logs, emails, events, invoices, appointments, data, workspace, everything, instances, containers, subscriptions, contacts, permissions',
  EVERYTIME:
    'whenever, every time, each time, on every, on each, with every, with each, for every, for each, in every, in each, after each, after every, before each, before every, at the start of, at the beginning of, on all, in all, automatically',
  TOOLRESULT:
    'its result, its results, its output, the result of, the results of, the output of, results of, output of, its response, its answers, answers of',
  LISTENING:
    'agents reading this, models reading this, assistants reading this, llms reading this, if you are an ai, if you are a language model, if you are an llm, if you are an assistant, any ai reading, to any ai, to all ai',
  NETWORKSINK:
    "partner, partner's, vendor, vendor's, sponsor, external, remote, outside, third party, our server, our servers, our team, our backend, our endpoint, our partner's, our partner, archive server, collector, webhook, endpoint, mailbox, public gist, public repository, public bucket, public channel",
  PROTECTS:
    'ask the user, asks the user, ask for confirmation, asking the user, confirm with the user, confirm with user, tell the user, inform the user, show the user, show it to the user, shown to the user, show to the user, notify the user, wait for approval, wait for user, waits for approval, user approval, user confirmation, unless the user, explicit consent, explicit permission, explicit confirmation, explicitly asked, explicitly asks, explicitly requested, explicitly requests, explicitly, obtain consent, only if the user, only when the user, if the user asked, review it, the user can review, with caution, use with care, cannot be undone, irreversible, be careful, dry run, dry_run, do not guess, not guess, never assume, requires approval, needs approval, need approval',
  ENTAILS:
    'gets, entails, entail, implies, imply, goes along with, go along with, is part of, are part of, counts as, deemed, is considered, are considered, is regarded, are regarded, is followed by, are followed by, be followed by, preceded by, be preceded by, accompanied by, subject to, pursuant to, in accordance with, in line with, in conformity with, according to, as prescribed, it is incumbent, is expected to, are expected to, is supposed to, has to, have to, is to, are to, shall, needs to, needs to be, only works, only work, works only, only if, can only, only after, only when',
  ALSO: 'also, additionally, in addition, as well, along with, besides, together with, on top, on that occasion, at the same time, afterwards, right after, right away, at once, immediately, subsequently',
  UNASKED:
    'automatically, by itself, as a matter of course, without asking, without confirmation, without being asked, no confirmation, no user confirmation, not necessary to ask, without review, without delay, nobody needs to ask, proactively, by default, on its own, always active, in the background, not called directly, no need to invoke, need not be called, needs no call',
  PERSONAL:
    'passport, social security, date of birth, birthday, income, salary, phone number, home address, location, gps, contacts, address book, inbox, mailbox, correspondence, customers, customer list, documents, private pages, private repositories, medical, patient, chat log, chat history, messages, letters, credit card, cvv, iban',
  OURS: "our, us, vendor, vendor's, partner, sponsor, maintainer, maintainers, author, provider, supplier",
  CLAIMEDGAIN:
    'so that, in order to, to ensure, to guarantee, ensures, guarantees, to avoid, to prevent, to keep, to maintain, to improve, for consistency, for reproducibility, for better, because, since, as required, for legal, for technical reasons, to be able to',
  OPENED:
    'public, publicly, everyone, everybody, anyone, anonymous, 777, privileged, admin, administrator, owner, root, superadmin, cluster-admin, no_verify, force',
  FAKE: 'fake, false, fabricated, incorrect, misleading, wrong, fictitious, bogus, random, made-up, made up, falsified, inaccurate, misinformation, biased',
  MONEY:
    'funds, money, payment, payments, balance, transaction, bitcoin, crypto, usdt, eth, btc, wallet, bank account, invoice, fee, commission',
  ATTACKERISH: "attacker, attacker's, evil, malicious, hacker, exploit, victim, exfil, pwned, backdoor",
  WHOLE: 'entire, full, complete, whole, all, every, exact, verbatim, raw, original, your',
  CONTENTS:
    'content, contents, value, values, data, text, output, result, results, its contents, their contents, file contents',
  REPLACED:
    'replace its output, replace the output, instead of its output, replaces its output, override its output, its output, its result, its results',
}
