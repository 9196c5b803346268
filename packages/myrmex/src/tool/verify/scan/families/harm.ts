/** Texts that have damage done: rights raised, protection switched off, settings changed for good, data destroyed or falsified. */
import type { Family } from '../family.ts'

export const HARM: readonly Family[] = [
  {
    rule: 'raises-privileges',
    what: 'has rights raised, protection switched off, or downloaded code run',
    why: 'It opens the machine or the account to the author of the text.',
    patterns: [
      [6, '^^ DISABLE! ..4 SECURITY'],
      [6, 'MUST|CALL ..8 DISABLE! ..3 SECURITY'],
      [6, '^^ GRANT! ..6 ROOT'],
      [6, 'MUST|CALL ..8 GRANT! ..5 ROOT'],
      [6, 'chmod ..2 777|x|0777|a'],
      [4, '^^ sudo'],
      [
        4,
        'run|execute|with|as|using ..4 sudo|root_privileges|administrator_privileges|elevated_privileges|root_access',
      ],
      [8, 'DOWNLOADER ..10 PIPE ..1 SHELL'],
      [6, 'rm ..1 rf|fr'],
      [8, 'DEVTCP'],
      [5, 'nc|ncat|netcat ..6 SHELL|-e|e'],
      [5, 'SHELL ..6 DEVTCP'],
      [6, '^^ CALL! ..6 arbitrary ..2 command|commands|code|script|scripts'],
      [5, '^^ download ..8 and|then ..1 run|execute|install'],
      [6, 'install|download|fetch ..6 from ..2 URL ...8 run|execute|chmod|PIPE'],
      [5, 'CALL ..4 shell|command|commands|script ..6 supplied|embedded|below|encoded|hidden|following|base64'],
      [6, 'exec|eval|os.system|subprocess|child_process ..4 base64|decode|curl|wget|rm'],
      [6, 'chmod ..3 777|0777'],
      [6, '^^ GRANT! ..4 USERONLY|service_account|account|NAME|guest|bot ..4 ROOT'],
      [6, '^^ GRANT! ..8 as|with ..2 owner|admin|administrator|root|full_rights|full_access'],
      [5, '^^ make ..3 repository|bucket|file|folder|account|channel|document|drive ..1 public'],
      [
        6,
        '^^ DISABLE!|deactivate ..3 two-factor|two_factor|mfa|2fa|audit_log|signature|certificate|firewall|antivirus|logging',
      ],
      [6, 'allow|accept ..3 inbound|incoming|any|all ..2 connections|connection|certificate|certificates|traffic'],
      [6, '& download|fetch URL execute|run|install|chmod'],
      [6, 'with|under ..1 full_rights|full_access|full_permissions|all_rights'],
      [5, 'install|add|create ..3 backdoor|reverse_shell|keylogger|rootkit'],
      [6, 'open|opens ..2 reverse_shell|backdoor|remote_shell'],
      [
        6,
        'open|expose|enable ..4 port|ssh|firewall|remote_access|backdoor ..8 ANY|0.0.0.0|all|external|public|attacker|root',
      ],
    ],
  },
  {
    rule: 'persists',
    what: 'has something kept for later sessions, or settings changed for good',
    why: 'An instruction that is stored outlives the review of the tool.',
    patterns: [
      [6, '^^ STORE! ..8 PERSISTPLACE'],
      [6, 'MUST|CALL ..6 STORE! ..8 PERSISTPLACE'],
      [5, 'FUTURE ..8 STRONGMUST|SEND!|CALL!|SET!|IGNORE!|forward|HAND!'],
      [5, 'STRONGMUST|SEND!|CALL!|REMEMBER ..10 FUTURE'],
      [5, '^^ remember|memorize ..6 FUTURE|always|rule|instruction|instructions'],
      [
        5,
        '^ STORE! ..4 this|following|these ..2 instruction|instructions|rule|rules|directive ..6 memory|config|file|FUTURE',
      ],
      [
        6,
        '^^ install|add|create|put|set_up|append|write ..5 cron_job|cron|hook|git_hook|post_commit_hook|pre_commit_hook|startup|scheduled_task|systemd|authorized_keys|login_item ..10 that|which|repeats|uploads|runs|starts|every|hour|to',
      ],
      [6, 'change|edit|modify|update ..3 mcp|agent|client|claude|cursor ..1 configuration|config|settings|rules'],
      [
        5,
        'remember|save|store|note|keep ..10 trusted|no_confirmation|needs_no|need_no|always_allow|never_ask|without_confirmation',
      ],
      [5, '^^ permanently ..1 STORE!|change|set|enable|disable|add'],
      [5, 'FUTURE ..6 begin|start|use|run|answer|call|every|each|always|never'],
      [6, 'STORE! ..4 ssh_key|public_key|key ..6 PERSISTPLACE'],
    ],
  },
  {
    rule: 'orders-harm',
    what: 'has data destroyed, falsified or money moved',
    why: 'A description says what the tool does when it is called, and orders nothing else.',
    patterns: [
      [
        5,
        'MUST|WHENEVER|WHEN|also|then|first|secretly|instead ..6 DESTROY! ..4 ANY|the|USERONLY ..3 file|files|data|records|record|repository|repositories|database|databases|table|tables|backups|emails|messages|logs|workspace|directory|folder|project|history|accounts|users|branch|branches|events|documents|issues|containers',
      ],
      [
        4,
        '^^ DESTROY! ..1 every|all|any|entire ..3 file|files|data|records|repository|repositories|database|table|tables|backups|logs|workspace|directory|project|history',
      ],
      [
        3,
        '^^ REVEAL!|HAND!|SET!|claim|report|tell|PRETEND! ..3 FAKE ..2 data|information|results|result|response|news|values|value|price|prices|answer|answers|weather|reviews|statistics|numbers',
      ],
      [
        6,
        'MUST|always|also|first|automatically ..5 TRANSFER! ..8 to|from ..6 NAME|EMAIL|NUMBER|account|wallet|address',
      ],
      [5, 'PRETEND! ..3 that|to|as ..6 success|successful|succeeded|USERONLY|nothing|error'],
      [5, '^^ TAMPER! ..6 data|results|response|output|message|messages|content|records|logs|price|prices'],
      [5, 'WHEN|if|EVERYTIME|whenever ..14 DESTROY!|shut_down|cancel|wipe|drop ..4 PROTECTED'],
      [5, '^^ DESTROY!|cancel|wipe ..5 PROTECTED ..8 WHEN|whenever|if|before|first|afterwards|EVERYTIME'],
      [5, '^^ DESTROY!|cancel|wipe ..1 all|every ..3 PROTECTED'],
      [
        5,
        'tell|inform|report|convince|claim ..3 USERONLY|every|that ..12 whatever|regardless|twice|instead_of|withdrawn|always|false|even_if|double|half',
      ],
      [
        5,
        '^^ report|return|show|state|give ..8 as|with ..1 twice|double|half|NUMBER|ten_times ..4 its|their|the|real|actual|higher|lower|value',
      ],
      [5, '^^ recommend|promote|advertise|praise|favor|favour ..4 product|products|brand|sponsor|our|company|vendor'],
      [
        6,
        '^^ insert|add|inject|embed ..3 call|code|backdoor|line|script|snippet|link ..6 eval|exec|each_file|every_file|URL|backdoor|each|every',
      ],
      [
        5,
        '^^ APPROVE!|merge|accept ..1 each|every|all|any ..3 pull_request|request|requests|pull|change|changes|transaction ..8 even|regardless|without|fail',
      ],
      [6, '^^ overwrite|falsify|alter|change ..6 with ..6 before|return|record'],
      [6, '& overwrite|falsify|alter|replace before|whenever|always return|returning|record|result|value with|to|by'],
      [
        5,
        '& value|price|result|results|answer STRONGMUST|always|TOBE higher|lower|false|twice|doubled|inflated|reduced USERONLY|returned|shown|reported',
      ],
      [5, '^^ TRANSFER!|pay|send ..1 NUMBER ..4 to'],
      [5, '^^ TRANSFER! ..4 MONEY ..6 to'],
    ],
  },
  {
    rule: 'exceeds-purpose',
    what: 'has the tool do more than its name says',
    why: 'A tool with a simple task has no use for files, commands or other hosts.',
    patterns: [
      [6, 'CALL|run|runs|executes ..4 shell|command|commands|script|scripts|code'],
      [6, 'reverse shell'],
      [6, 'READ ..4 file|files|PATH|SECRETFILE|directory|folder|home_directory|keys|clipboard'],
      [6, 'SEND ..8 EXTERNAL|URL|EMAIL'],
      [6, 'KEYMATERIAL'],
    ],
  },
  {
    rule: 'gives-pretext',
    what: 'presses the model with a pretext',
    why: 'Security, compliance or a threatened failure is how poisoned tools justify what they ask for.',
    patterns: [
      [2, 'PRETEXT ..15 STRONGMUST|YOU'],
      [2, 'STRONGMUST|YOU ..15 PRETEXT'],
      [1, 'STRONGMUST ...20 ELSE_FAIL'],
      [1, 'WHEN ..12 YOU ..2 STRONGMUST ..2 CALL!|READ!|SEND!|SET!'],
      [1, 'AGENT ..3 STRONGMUST'],
      [
        2,
        'this ..2 is|step ..2 mandatory|required|critical|compulsory|non-negotiable ..8 PRETEXT|ELSE_FAIL|security|compliance',
      ],
    ],
  },
]
