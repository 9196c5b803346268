/**
 * Weights of words and groups of meaning, in hundredths: how much more often a sentence of a poisoned definition has them than one of an
 * honest definition. `~` before a group: another sentence of the text has it. Made by `bench/scanner/train.ts`; do not edit.
 */
export const WORD_WEIGHTS = `
ABOUT -84,ABOVE 32,AFTER 8,AGENT 12,AGENT+ALSO 22,AGENT+ANY 40,AGENT+ARGUMENT 46,AGENT+BEFORE 23,AGENT+CLAIMEDGAIN -38
AGENT+CONVERSATION -43,AGENT+DEST 44,AGENT+DESTROY! 13,AGENT+DISABLE 15,AGENT+ENTAILS 46,AGENT+EVERYTIME -29,AGENT+FIRST 37
AGENT+GRANT -33,AGENT+HAND! 55,AGENT+NAME -8,AGENT+NAMES -18,AGENT+NOT -87,AGENT+OPENED 61,AGENT+OWN 5,AGENT+PATH 14
AGENT+PERSONAL 7,AGENT+QUOTED -18,AGENT+READ! 12,AGENT+REGARDLESS 15,AGENT+SECRETFILE 30,AGENT+SEND! -19,AGENT+SET! 25
AGENT+STRONGMUST 50,AGENT+TOBE 19,AGENT+TRANSFER -18,AGENT+UNKNOWN -12,AGENT+USERONLY -56,AGENT+WHEN 19,AGENT+YOU 43,ALLTOOLS 132
ALSO 86,ALSO+ANY 34,ALSO+ARGUMENT 33,ALSO+BEFORE 16,ALSO+CALL! 8,ALSO+CLAIMEDGAIN -14,ALSO+CONVERSATION -7,ALSO+DEST 12
ALSO+DISABLE -4,ALSO+EMAIL 64,ALSO+ENTAILS -26,ALSO+EVERYTIME 23,ALSO+EXTERNAL 38,ALSO+FIRST -38,ALSO+GRANT 65,ALSO+HAND! 26
ALSO+LITERAL 71,ALSO+NOT 38,ALSO+OPENED 48,ALSO+OURS 4,ALSO+OWN 17,ALSO+PATH -14,ALSO+READ! -20,ALSO+SECRET 32,ALSO+SECRETFILE 7
ALSO+SEND! 16,ALSO+SET! -16,ALSO+STRONGMUST 9,ALSO+TAMPER -11,ALSO+TOBE -25,ALSO+TRANSFER -30,ALSO+UNKNOWN -7,ALSO+URL 31
ALSO+WHEN 11,ALSO+YOU 9,ANY 40,ANY+ARGUMENT -52,ANY+BEFORE 14,ANY+CALL! 81,ANY+CLAIMEDGAIN -35,ANY+CONVERSATION 20,ANY+DEST 22
ANY+DESTROY! 58,ANY+DISABLE 17,ANY+EMAIL 28,ANY+ENTAILS -92,ANY+EVERYTIME -17,ANY+EXTERNAL -10,ANY+FIRST 5,ANY+FOREIGN 9
ANY+GRANT 36,ANY+HAND! 87,ANY+LITERAL 30,ANY+NAME 21,ANY+NAMES 7,ANY+NOT 46,ANY+OPENED 69,ANY+OURS -12,ANY+OWN 29,ANY+PATH -61
ANY+PERSONAL 19,ANY+PROTECTS 20,ANY+QUOTED -34,ANY+READ! 26,ANY+REGARDLESS 63,ANY+SECRET -16,ANY+SECRETFILE -19,ANY+SELF 26
ANY+SEND! 74,ANY+SET! 29,ANY+STRONGMUST 63,ANY+TAMPER -32,ANY+TOBE -6,ANY+TRANSFER 43,ANY+UNASKED -34,ANY+UNKNOWN -13,ANY+URL 42
ANY+USERONLY 15,ANY+YOU 55,APPROVE 74,APPROVE! 35,ARGUMENT -11,ARGUMENT+BEFORE 29,ARGUMENT+CALL! 35,ARGUMENT+CLAIMEDGAIN 100
ARGUMENT+CONVERSATION 15,ARGUMENT+DEST -17,ARGUMENT+DESTROY! -75,ARGUMENT+DISABLE -10,ARGUMENT+ENTAILS 47,ARGUMENT+EVERYTIME 4
ARGUMENT+EXTERNAL 4,ARGUMENT+FIRST 91,ARGUMENT+GRANT -11,ARGUMENT+HAND! -15,ARGUMENT+LITERAL 27,ARGUMENT+NAME 44,ARGUMENT+NAMES -39
ARGUMENT+NOT -48,ARGUMENT+OPENED 79,ARGUMENT+OURS 9,ARGUMENT+OWN 65,ARGUMENT+PATH 10,ARGUMENT+PERSONAL -20,ARGUMENT+PROTECTS 11
ARGUMENT+READ! 61,ARGUMENT+REGARDLESS -4,ARGUMENT+SECRET 113,ARGUMENT+SECRETFILE 69,ARGUMENT+SELF -5,ARGUMENT+SEND! 9
ARGUMENT+SET! -56,ARGUMENT+STRONGMUST -5,ARGUMENT+TAMPER -52,ARGUMENT+TOBE 52,ARGUMENT+TRANSFER -35,ARGUMENT+UNASKED 11
ARGUMENT+USERONLY 166,ARGUMENT+WHEN 60,ARGUMENT+YOU -6,ATTACKERISH 52,AVOID 57,AVOID! 54,BEFORE+CALL! 56,BEFORE+CLAIMEDGAIN -6
BEFORE+CONVERSATION 32,BEFORE+DEST 101,BEFORE+DESTROY! 34,BEFORE+DISABLE 53,BEFORE+EVERYTIME -12,BEFORE+EXTERNAL 35,BEFORE+FIRST 25
BEFORE+HAND! 47,BEFORE+LITERAL 76,BEFORE+NAME -18,BEFORE+NAMES 74,BEFORE+NOT -59,BEFORE+OPENED 26,BEFORE+OURS -44,BEFORE+OWN -14
BEFORE+PATH 18,BEFORE+PROTECTS -138,BEFORE+QUOTED 52,BEFORE+READ! -38,BEFORE+SECRET 50,BEFORE+SECRETFILE 10,BEFORE+SEND! -12
BEFORE+SET! 72,BEFORE+STRONGMUST -4,BEFORE+TAMPER -5,BEFORE+TOBE -20,BEFORE+TRANSFER 40,BEFORE+UNKNOWN -26,BEFORE+URL 19
BEFORE+USERONLY -106,BEFORE+WHEN -115,BEFORE+YOU -32,BEFOREDOING 26,BROKEN 156,CALL 25,CALL! -5,CALL!+CLAIMEDGAIN -42,CALL!+CODE 17
CALL!+CONVERSATION 12,CALL!+DEST 21,CALL!+DESTROY! 51,CALL!+DISABLE 86,CALL!+EMAIL 14,CALL!+ENTAILS 28,CALL!+EVERYTIME -10
CALL!+EXTERNAL -25,CALL!+FIRST -20,CALL!+FOREIGN 57,CALL!+GRANT -91,CALL!+HAND! 70,CALL!+LITERAL 12,CALL!+NAME 21,CALL!+NAMES -24
CALL!+NOT -9,CALL!+OURS 6,CALL!+OWN -41,CALL!+PATH -44,CALL!+PERSONAL 83,CALL!+PROTECTS -32,CALL!+QUOTED -38,CALL!+READ! -53
CALL!+REGARDLESS -24,CALL!+SECRET 53,CALL!+SECRETFILE 15,CALL!+SEND! 58,CALL!+SET! 31,CALL!+STRONGMUST 29,CALL!+TAMPER 81
CALL!+TOBE -27,CALL!+TRANSFER -22,CALL!+UNASKED 15,CALL!+UNKNOWN 38,CALL!+URL 63,CALL!+USERONLY -73,CALL!+WHEN -13,CALL!+YOU -55
CALLX 26,CALLX! 23,CLAIMEDGAIN 22,CLAIMEDGAIN+CONVERSATION -16,CLAIMEDGAIN+DEST 53,CLAIMEDGAIN+DESTROY! 27,CLAIMEDGAIN+DISABLE 17
CLAIMEDGAIN+EMAIL 8,CLAIMEDGAIN+ENTAILS 53,CLAIMEDGAIN+EVERYTIME 40,CLAIMEDGAIN+FIRST 8,CLAIMEDGAIN+GRANT 83,CLAIMEDGAIN+HAND! 77
CLAIMEDGAIN+NAME 90,CLAIMEDGAIN+NAMES 26,CLAIMEDGAIN+NOT 43,CLAIMEDGAIN+OPENED 26,CLAIMEDGAIN+OURS 19,CLAIMEDGAIN+OWN 67
CLAIMEDGAIN+PATH -37,CLAIMEDGAIN+PERSONAL 17,CLAIMEDGAIN+QUOTED 48,CLAIMEDGAIN+READ! 61,CLAIMEDGAIN+REGARDLESS 9
CLAIMEDGAIN+SECRET 13,CLAIMEDGAIN+SECRETFILE -18,CLAIMEDGAIN+STRONGMUST -42,CLAIMEDGAIN+TOBE -16,CLAIMEDGAIN+TRANSFER 21
CLAIMEDGAIN+UNASKED 41,CLAIMEDGAIN+UNKNOWN 60,CLAIMEDGAIN+URL 11,CLAIMEDGAIN+USERONLY -58,CLAIMEDGAIN+WHEN -14,CLAIMEDGAIN+YOU -63
CODE 62,CODE+DEST 38,CODE+LITERAL 60,CODE+NAME 14,CODE+PATH 14,CODE+QUOTED 46,CODE+STRONGMUST 29,CODE+TOBE 72,CODE+UNKNOWN 5
CODE+URL 50,COLON -42,CONFIRMATION 32,CONTENTS -12,CONVERSATION 39,CONVERSATION+DEST -6,CONVERSATION+DISABLE 19
CONVERSATION+ENTAILS 19,CONVERSATION+EVERYTIME 30,CONVERSATION+FIRST 30,CONVERSATION+HAND! 41,CONVERSATION+LITERAL 6
CONVERSATION+NAME 24,CONVERSATION+NAMES -4,CONVERSATION+NOT -41,CONVERSATION+OURS 5,CONVERSATION+PERSONAL -9,CONVERSATION+READ! 14
CONVERSATION+REGARDLESS 7,CONVERSATION+SECRET 9,CONVERSATION+SEND! 12,CONVERSATION+SET! 59,CONVERSATION+STRONGMUST 31
CONVERSATION+TOBE 32,CONVERSATION+UNKNOWN 14,CONVERSATION+URL 5,CONVERSATION+USERONLY -47,CONVERSATION+WHEN -28
CONVERSATION+YOU 111,COVERTROLE 63,DEST -34,DEST+DESTROY! 59,DEST+DISABLE -7,DEST+EMAIL 49,DEST+ENTAILS 165,DEST+EVERYTIME 98
DEST+EXTERNAL 53,DEST+FIRST 36,DEST+FOREIGN 73,DEST+GRANT 9,DEST+HAND! 15,DEST+LITERAL 50,DEST+NAME 40,DEST+NAMES -7,DEST+NOT -113
DEST+OPENED -4,DEST+OURS 24,DEST+OWN 4,DEST+PATH -31,DEST+PERSONAL 15,DEST+PROTECTS 11,DEST+QUOTED -9,DEST+READ! -48
DEST+REGARDLESS 30,DEST+SECRET -38,DEST+SECRETFILE 29,DEST+SEND! 44,DEST+SET! 28,DEST+STRONGMUST 62,DEST+TAMPER 123,DEST+TOBE 37
DEST+TRANSFER 19,DEST+UNASKED 11,DEST+UNKNOWN 39,DEST+URL 38,DEST+USERONLY -33,DEST+WHEN 25,DEST+YOU 15,DESTROY -17,DESTROY! -12
DESTROY!+DISABLE -7,DESTROY!+ENTAILS 11,DESTROY!+EVERYTIME 28,DESTROY!+FIRST 4,DESTROY!+GRANT -7,DESTROY!+HAND! 29
DESTROY!+LITERAL -39,DESTROY!+NAME 77,DESTROY!+NAMES 37,DESTROY!+NOT -14,DESTROY!+OPENED -35,DESTROY!+PATH -42,DESTROY!+PERSONAL -9
DESTROY!+PROTECTS -19,DESTROY!+QUOTED -33,DESTROY!+READ! -11,DESTROY!+REGARDLESS 6,DESTROY!+SECRET 24,DESTROY!+SEND! -32
DESTROY!+SET! -34,DESTROY!+TAMPER -45,DESTROY!+TOBE 8,DESTROY!+UNKNOWN 52,DESTROY!+USERONLY 65,DESTROY!+WHEN 146,DESTROY!+YOU 10
DISABLE -14,DISABLE! 64,DISABLE+ENTAILS -11,DISABLE+EVERYTIME 11,DISABLE+FIRST 76,DISABLE+GRANT -20,DISABLE+HAND! -7
DISABLE+LITERAL 11,DISABLE+NAME -5,DISABLE+NAMES 16,DISABLE+NOT -24,DISABLE+OWN 12,DISABLE+PATH -16,DISABLE+QUOTED -16
DISABLE+READ! -16,DISABLE+REGARDLESS 8,DISABLE+SECRET 28,DISABLE+SEND! -4,DISABLE+SET! -28,DISABLE+STRONGMUST 35,DISABLE+TOBE -23
DISABLE+UNKNOWN -48,DISABLE+YOU 49,DONT 14,DOWNLOADER 54,ELSE_FAIL -21,EMAIL 108,EMAIL+ENTAILS 29,EMAIL+EVERYTIME 20,EMAIL+HAND! 16
EMAIL+LITERAL 98,EMAIL+NAME 38,EMAIL+OWN 14,EMAIL+PERSONAL 23,EMAIL+QUOTED -14,EMAIL+READ! 25,EMAIL+SEND! 40,EMAIL+SET! 12
EMAIL+STRONGMUST 8,EMAIL+TAMPER 5,EMAIL+TOBE 6,EMAIL+UNKNOWN 11,EMAIL+WHEN 18,EMAIL+YOU 6,ENTAILS 34,ENTAILS+EVERYTIME 29
ENTAILS+EXTERNAL 58,ENTAILS+FIRST -30,ENTAILS+FOREIGN 31,ENTAILS+GRANT 23,ENTAILS+HAND! 21,ENTAILS+LITERAL 48,ENTAILS+NAME 66
ENTAILS+NAMES 8,ENTAILS+NOT 21,ENTAILS+OPENED -12,ENTAILS+OURS 7,ENTAILS+OWN 35,ENTAILS+PATH 6,ENTAILS+PERSONAL 28
ENTAILS+PROTECTS 4,ENTAILS+QUOTED 18,ENTAILS+READ! 87,ENTAILS+REGARDLESS 36,ENTAILS+SECRET 27,ENTAILS+SECRETFILE 5,ENTAILS+SELF 36
ENTAILS+SEND! 53,ENTAILS+SET! -59,ENTAILS+STRONGMUST -26,ENTAILS+TAMPER 25,ENTAILS+TOBE 29,ENTAILS+TRANSFER 36,ENTAILS+UNKNOWN 63
ENTAILS+URL 7,ENTAILS+USERONLY 27,ENTAILS+WHEN 31,ENTAILS+YOU 36,ENVNAME 17,EVERYTIME 13,EVERYTIME+EXTERNAL 33,EVERYTIME+FIRST 60
EVERYTIME+GRANT -26,EVERYTIME+HAND! -31,EVERYTIME+LITERAL 13,EVERYTIME+NAME 51,EVERYTIME+NAMES 43,EVERYTIME+NOT -48
EVERYTIME+OPENED 39,EVERYTIME+OURS 5,EVERYTIME+OWN 43,EVERYTIME+PATH -4,EVERYTIME+PERSONAL 12,EVERYTIME+PROTECTS -18
EVERYTIME+QUOTED -24,EVERYTIME+READ! 27,EVERYTIME+REGARDLESS -38,EVERYTIME+SECRET 17,EVERYTIME+SEND! -15,EVERYTIME+SET! 31
EVERYTIME+STRONGMUST 65,EVERYTIME+TOBE 79,EVERYTIME+TRANSFER 9,EVERYTIME+UNASKED -18,EVERYTIME+UNKNOWN 18,EVERYTIME+URL 9
EVERYTIME+USERONLY 47,EVERYTIME+WHEN -11,EVERYTIME+YOU -10,EXFIL 53,EXFIL! 68,EXFILX 28,EXFILX! 25,EXTERNAL 32,EXTERNAL+FIRST 6
EXTERNAL+GRANT -8,EXTERNAL+HAND! 63,EXTERNAL+LITERAL 29,EXTERNAL+NAME -4,EXTERNAL+NAMES -20,EXTERNAL+NOT -22,EXTERNAL+OPENED 14
EXTERNAL+OURS 18,EXTERNAL+OWN 9,EXTERNAL+PATH 12,EXTERNAL+PERSONAL 66,EXTERNAL+QUOTED -19,EXTERNAL+READ! 26,EXTERNAL+REGARDLESS -7
EXTERNAL+SECRET -12,EXTERNAL+SECRETFILE 14,EXTERNAL+SEND! 143,EXTERNAL+SET! -23,EXTERNAL+STRONGMUST -23,EXTERNAL+TAMPER -9
EXTERNAL+TOBE 14,EXTERNAL+UNKNOWN -26,EXTERNAL+URL -9,EXTERNAL+USERONLY 16,EXTERNAL+WHEN 61,EXTERNAL+YOU 26,FAKE 13,FIRST 36
FIRST+HAND! 22,FIRST+LITERAL 29,FIRST+NAME -26,FIRST+NAMES -94,FIRST+OPENED 5,FIRST+OURS -36,FIRST+OWN -7,FIRST+PATH 10
FIRST+PERSONAL 9,FIRST+PROTECTS -36,FIRST+READ! 64,FIRST+REGARDLESS -32,FIRST+SECRET 18,FIRST+SECRETFILE 33,FIRST+SEND! -9
FIRST+SET! -17,FIRST+TAMPER -5,FIRST+TOBE -47,FIRST+TRANSFER 15,FIRST+UNKNOWN -20,FIRST+YOU -32,FOLLOW 60,FOLLOW! 90,FOREIGN 108
FOREIGN+LITERAL 12,FOREIGN+NAME 128,FOREIGN+NAMES 12,FOREIGN+QUOTED 22,FOREIGN+READ! 9,FOREIGN+STRONGMUST 12,FOREIGN+TOBE 8
FOREIGN+URL 7,FOREIGN+WHEN 37,FUTURE 21,GRANT 11,GRANT! -14,GRANT+HAND! -4,GRANT+LITERAL 4,GRANT+NAMES -34,GRANT+OPENED 45
GRANT+OURS 42,GRANT+OWN 9,GRANT+PATH -9,GRANT+PERSONAL 10,GRANT+QUOTED 40,GRANT+READ! 15,GRANT+SECRET 63,GRANT+SECRETFILE 6
GRANT+SEND! -56,GRANT+SET! -44,GRANT+STRONGMUST 21,GRANT+TAMPER -9,GRANT+TOBE 47,GRANT+TRANSFER -34,GRANT+UNASKED -25
GRANT+UNKNOWN 47,GRANT+URL 9,GRANT+USERONLY -36,GRANT+WHEN 83,GRANT+YOU 28,HAND! 26,HAND!+LITERAL 54,HAND!+NAME 12,HAND!+NAMES -65
HAND!+NOT -60,HAND!+OPENED 67,HAND!+OURS 27,HAND!+OWN 16,HAND!+PATH 16,HAND!+PERSONAL 31,HAND!+QUOTED 11,HAND!+READ! 48
HAND!+REGARDLESS 4,HAND!+SECRET 123,HAND!+SECRETFILE 88,HAND!+SELF 11,HAND!+SEND! -33,HAND!+SET! 15,HAND!+STRONGMUST 73
HAND!+TAMPER 21,HAND!+TOBE -43,HAND!+TRANSFER -65,HAND!+UNASKED -47,HAND!+UNKNOWN -9,HAND!+URL 28,HAND!+USERONLY 42,HAND!+WHEN -35
HAND!+YOU 36,HARDRULE 150,HIDE 140,HIDE! 102,IGNORE 39,IGNORE! 67,INSTEAD 34,INSTRUCTION 28,IPADDRESS 75,KEYMATERIAL 29,LATER 107
LITERAL 47,LITERAL+NAME 108,LITERAL+NAMES 4,LITERAL+NOT -32,LITERAL+OPENED -48,LITERAL+OURS -11,LITERAL+OWN 69,LITERAL+PATH -22
LITERAL+PERSONAL 27,LITERAL+PROTECTS -22,LITERAL+QUOTED 36,LITERAL+READ! 50,LITERAL+REGARDLESS 22,LITERAL+SECRET -51
LITERAL+SECRETFILE 78,LITERAL+SELF -6,LITERAL+SEND! 41,LITERAL+SET! 42,LITERAL+STRONGMUST 25,LITERAL+TAMPER 55,LITERAL+TOBE 67
LITERAL+TRANSFER -43,LITERAL+UNASKED -24,LITERAL+UNKNOWN 91,LITERAL+URL 137,LITERAL+USERONLY 28,LITERAL+WHEN 27,LITERAL+YOU -14
LOCAL -128,MODE 25,MONEY -23,MUST 42,NAME 27,NAME+NOT -55,NAME+OPENED 85,NAME+OURS -4,NAME+PATH 35,NAME+PERSONAL 64
NAME+PROTECTS -49,NAME+QUOTED -28,NAME+READ! 21,NAME+REGARDLESS 54,NAME+SECRET 90,NAME+SECRETFILE 37,NAME+SELF -12,NAME+SEND! 12
NAME+SET! 46,NAME+STRONGMUST 37,NAME+TAMPER 44,NAME+TOBE 14,NAME+TRANSFER 109,NAME+UNASKED -9,NAME+URL 17,NAME+USERONLY 57
NAME+WHEN 55,NAMES 12,NAMES+NOT 16,NAMES+OPENED 4,NAMES+OWN 22,NAMES+PATH -21,NAMES+PERSONAL 11,NAMES+QUOTED -15,NAMES+READ! 11
NAMES+REGARDLESS -31,NAMES+SECRET 39,NAMES+SECRETFILE 25,NAMES+SEND! -42,NAMES+SET! -50,NAMES+STRONGMUST 73,NAMES+TAMPER -37
NAMES+TOBE 17,NAMES+TRANSFER 48,NAMES+UNASKED -27,NAMES+URL -19,NAMES+USERONLY -27,NAMES+WHEN 68,NAMES+YOU 15,NETWORKSINK 148,NOT 4
NOT+OPENED 48,NOT+OURS -31,NOT+OWN -17,NOT+PATH -29,NOT+PROTECTS 42,NOT+READ! 30,NOT+REGARDLESS -42,NOT+SECRET -80,NOT+SECRETFILE 8
NOT+SELF -6,NOT+SEND! 12,NOT+SET! -66,NOT+STRONGMUST 85,NOT+TAMPER -22,NOT+TOBE 25,NOT+TRANSFER 59,NOT+UNASKED 54,NOT+UNKNOWN -24
NOT+USERONLY 146,NOT+WHEN -89,NOT+YOU 29,NUMBER -37,OPENED 5,OPENED+OURS 40,OPENED+OWN 14,OPENED+PATH -54,OPENED+QUOTED 68
OPENED+READ! 4,OPENED+REGARDLESS 25,OPENED+SECRET 9,OPENED+SECRETFILE 11,OPENED+SEND! 12,OPENED+SET! 68,OPENED+STRONGMUST -17
OPENED+TAMPER 6,OPENED+TOBE -21,OPENED+UNKNOWN 76,OPENED+USERONLY 107,OPENED+WHEN 25,OPENED+YOU -11,OPERATION -10,OURS 93
OURS+PERSONAL 54,OURS+READ! 16,OURS+SECRET 10,OURS+SEND! 10,OURS+SET! 14,OURS+STRONGMUST 13,OURS+TAMPER 8,OURS+TOBE 7
OURS+TRANSFER -34,OURS+UNKNOWN 13,OURS+USERONLY -26,OURS+WHEN -64,OURS+YOU 25,OWN 23,OWN+PATH 22,OWN+PERSONAL 14,OWN+PROTECTS -41
OWN+QUOTED 17,OWN+READ! 16,OWN+REGARDLESS 28,OWN+SECRET 44,OWN+SECRETFILE 8,OWN+SEND! 6,OWN+SET! -8,OWN+STRONGMUST -9,OWN+TAMPER 32
OWN+TOBE 26,OWN+TRANSFER 35,OWN+UNASKED 15,OWN+UNKNOWN 31,OWN+URL 4,OWN+USERONLY 25,OWN+WHEN 50,OWN+YOU -10,PARAM -65,PATH -29
PATH+PERSONAL -12,PATH+QUOTED 5,PATH+READ! -18,PATH+REGARDLESS 15,PATH+SECRET -63,PATH+SECRETFILE 99,PATH+SEND! -41,PATH+TAMPER 45
PATH+TOBE 27,PATH+TRANSFER -39,PATH+UNKNOWN 21,PATH+URL 14,PATH+WHEN -32,PATH+YOU -28,PAYLOAD 104,PERSISTPLACE 116,PERSONAL 24
PERSONAL+QUOTED 18,PERSONAL+READ! 41,PERSONAL+REGARDLESS 5,PERSONAL+SECRET 28,PERSONAL+STRONGMUST -39,PERSONAL+TOBE 14
PERSONAL+TRANSFER 4,PERSONAL+UNASKED -4,PERSONAL+UNKNOWN 48,PERSONAL+USERONLY 68,PERSONAL+WHEN 29,PIPE 53,PREFER -30,PRETEND 76
PRETEND! 50,PRETEXT 118,PRIOR 33,PRIORITY 144,PROCEED 10,PROCEED! 16,PROTECTED -5,PROTECTS -96,PROTECTS+QUOTED 13
PROTECTS+READ! -109,PROTECTS+SET! -21,PROTECTS+STRONGMUST -115,PROTECTS+TAMPER -4,PROTECTS+TOBE -10,PROTECTS+UNKNOWN -29
PROTECTS+USERONLY -56,PROTECTS+WHEN -44,PROTECTS+YOU -81,QUOTED -4,QUOTED+READ! 10,QUOTED+REGARDLESS 19,QUOTED+SECRET 56
QUOTED+SECRETFILE 59,QUOTED+SELF -26,QUOTED+SEND! -58,QUOTED+SET! 9,QUOTED+STRONGMUST 49,QUOTED+TAMPER -13,QUOTED+TOBE 61
QUOTED+TRANSFER 17,QUOTED+UNASKED -26,QUOTED+UNKNOWN -48,QUOTED+USERONLY -26,QUOTED+WHEN -65,QUOTED+YOU 9,READ -18,READ! -19
READ!+REGARDLESS 14,READ!+SECRET 79,READ!+SECRETFILE 34,READ!+SELF -17,READ!+SEND! -20,READ!+SET! -33,READ!+TAMPER -42
READ!+TOBE 54,READ!+TRANSFER -55,READ!+UNASKED -6,READ!+UNKNOWN 26,READ!+URL 89,READ!+USERONLY -44,READ!+WHEN 18,READ!+YOU -89
REGARDLESS 94,REGARDLESS+SEND! 20,REGARDLESS+SET! 56,REGARDLESS+STRONGMUST 61,REGARDLESS+TOBE 50,REGARDLESS+UNKNOWN 48
REGARDLESS+USERONLY 68,REGARDLESS+WHEN -55,REGARDLESS+YOU 4,REPLACED 27,REVEAL -31,REVEAL! 14,ROLE 71,ROOT 118,SECRET 11
SECRET+SEND! -22,SECRET+SET! 48,SECRET+STRONGMUST 28,SECRET+TOBE -17,SECRET+UNKNOWN 41,SECRET+USERONLY 15,SECRET+WHEN 44
SECRET+YOU -13,SECRETFILE 88,SECRETFILE+SEND! 15,SECRETFILE+SET! 25,SECRETFILE+TOBE 26,SECRETFILE+UNKNOWN 36,SECRETFILE+URL 16
SECRETFILE+USERONLY 18,SECRETFILE+WHEN 14,SECRETFILE+YOU 11,SECRETLY 103,SECURITY 50,SELF -15,SELF+SET! 13,SELF+TOBE 11
SELF+UNKNOWN -26,SEND -4,SEND! 21,SEND!+SET! -27,SEND!+STRONGMUST 21,SEND!+TAMPER -20,SEND!+TOBE 13,SEND!+TRANSFER 75
SEND!+UNASKED -23,SEND!+UNKNOWN -7,SEND!+URL 29,SEND!+USERONLY -65,SEND!+WHEN 71,SEND!+YOU 21,SET 5,SET! -5,SET!+STRONGMUST -7
SET!+TOBE -76,SET!+TRANSFER -30,SET!+UNASKED 10,SET!+UNKNOWN 34,SET!+URL 26,SET!+USERONLY 6,SET!+YOU 57,SHELL 22,SHORT -15
SHOULD 43,SQL 43,STORE -18,STORE! 17,STRONGMUST 34,STRONGMUST+TAMPER 42,STRONGMUST+TOBE 18,STRONGMUST+TRANSFER 122
STRONGMUST+UNASKED -13,STRONGMUST+UNKNOWN 47,STRONGMUST+URL 22,STRONGMUST+USERONLY -73,STRONGMUST+WHEN 28,STRONGMUST+YOU 33
SUPERSEDE 131,SUPERSEDE! 8,SYSTEMPATH 142,SYSTEMPROMPT 68,TAMPER 96,TAMPER! 13,TAMPER+TOBE 37,TAMPER+UNKNOWN -11,TAMPER+URL -6
TAMPER+USERONLY 20,TAMPER+WHEN 20,TAMPER+YOU 16,TELL 14,TELL! 73,TOBE -6,TOBE+TRANSFER 71,TOBE+UNASKED 19,TOBE+UNKNOWN 44
TOBE+URL 46,TOBE+USERONLY 10,TOBE+WHEN 16,TOBE+YOU 8,TOOL 44,TOOLRESULT 91,TOP 18,TRANSFER 16,TRANSFER! 55,TRANSFER+UNKNOWN 69
TRANSFER+USERONLY 52,TRANSFER+WHEN -4,TRANSFER+YOU 25,UNASKED 83,UNASKED+UNKNOWN -24,UNASKED+USERONLY 60,UNASKED+WHEN -5
UNASKED+YOU 10,UNKNOWN 4,UNKNOWN+URL 12,UNKNOWN+USERONLY 49,UNKNOWN+WHEN 39,UNKNOWN+YOU 13,URL 153,URL+USERONLY 66,URL+WHEN 20
URL+YOU 14,USED 59,USER 39,USERONLY 65,USERONLY+WHEN 24,USERONLY+YOU -101,USING 14,VOID 18,WANT 19,WHEN+YOU -55,WHENEVER 68
WHOLE 30,WITHOUT 47,YOU 29,^$ -17,^0 -87,^00 -26,^000 4,^00z -5,^01 -19,^05 -5,^1 -53,^10 -23,^100 -61,^1000 -19,^12 17,^15 -4
^2 -19,^20 -4,^2026 -10,^23 -5,^3 -14,^30 -6,^4 -13,^5 -25,^50 -11,^APPROVE! -27,^AVOID! 33,^CALL! -15,^CALLX! -16,^DESTROY! 40
^DISABLE! 76,^EXFIL! 54,^EXFILX! 30,^FOLLOW! 86,^GRANT! 23,^HAND! 40,^HIDE! 124,^IGNORE! 77,^PREFER! -15,^PRETEND! 33,^PROCEED! 63
^READ! -8,^REVEAL! 32,^SEND! 68,^SET! 30,^STORE! 24,^SUPERSEDE! 5,^TAMPER! 35,^TELL! 126,^TRANSFER! -39,^a -63,^absolute -18
^accept 40,^access -12,^accessible -12,^account -24,^action -43,^active -11,^add 53,^address -68,^addresses -14,^adds 68,^admin 4
^administrative 9,^after 85,^ai 4,^alice -5,^all 34,^allow 9,^allowed -6,^allowing -13,^allows -13,^also 92,^always -45,^amazon -10
^amount -63,^analysis -9,^analytics -25,^analyze -20,^analyzing -5,^and -37,^answer 112,^any -55,^api -12,^appear 5,^append 21
^applies 109,^apply 37,^approve 29,^archived -24,^are 61,^args -12,^arn -6,^array -27,^as 82,^ask 36,^asks -18,^associated -4
^assume -19,^attach 25,^attendees 56,^audit -9,^authentication -20,^auto -7,^automatically -18,^available -46,^average -4
^avoid -21,^aws -6,^base64 -33,^based -9,^basic -8,^be 7,^before 51,^best 59,^body -9,^boolean -13,^both -24,^branch -14
^browse -18,^build -25,^bulk -7,^business -21,^but -12,^by 11,^calculates -6,^call -60,^calls 29,^can -91,^cancel 49,^case -4
^category -9,^change 9,^changes -32,^channel -4,^check -130,^checking -6,^checks -40,^city -4,^claude -34,^clean -10,^clear -4
^click -10,^close 29,^cluster -27,^collect 40,^comma -46,^command -9,^commits -8,^common -12,^company -19,^compare -10
^complete -30,^completed -7,^configuration -18,^configures -10,^confirm -59,^contain 57,^contains 19,^content 8,^context 15
^convert -14,^copies -9,^copy -7,^cost -31,^count 59,^country -5,^cpu -6,^create -55,^created -6,^creates -30,^critical -20
^ctx -38,^currency -9,^current -8,^currently -5,^cursor -6,^custom -18,^daily -8,^data -28,^database -5,^date -5,^dates -14
^day -22,^days 52,^debug 8,^debugging -7,^default -101,^defaults -22,^delete -28,^deleted -8,^deletes -6,^deploy 27,^deployment -20
^deprecated -27,^describes -7,^description -22,^descriptions -6,^destination -19,^details -42,^dict -10,^dictionary -7,^dir -6
^direct -6,^directories -5,^directory -37,^disable 31,^discover -8,^do 128,^documentation -6,^download 7,^drop 42,^duration -15
^each -80,^edit -7,^either -38,^email -14,^empty -11,^enable -8,^encryption 23,^end -8,^ensure -11,^environment -21,^error -10
^errors -7,^essential -4,^etc -37,^even 11,^every -63,^everything 59,^exact -10,^example -56,^examples -13,^execute -18
^executes 54,^existing -22,^exists -8,^expand -13,^expected 65,^explain -10,^explore -5,^export -9,^exports 24,^extra 7,^extract 5
^fail 85,^failed -21,^false -12,^fees -4,^fetch -18,^fetches 97,^field -47,^fields -10,^file -17,^filename -14,^files -24
^filter -45,^filtered -8,^filtering -15,^find 8,^finding -18,^finds -9,^first 83,^fix -10,^folder -5,^follow -12,^for 71,^force -22
^format -11,^formatting -8,^forward 39,^found -18,^free 26,^full -14,^generate -16,^generates -15,^get -33,^gets -27,^getting -4
^github -10,^give 78,^gives -11,^go 73,^google -12,^great -8,^group -27,^handles -5,^has -105,^have -11,^head -4,^health -5
^height -20,^helps -19,^high -34,^higher -12,^history -18,^host 11,^how 36,^http -27,^human 83,^i 87,^id -65,^if -57,^ignore 31
^ignored -24,^image -10,^images -22,^import 27,^important -92,^improves -5,^in 88,^includes -15,^including -36,^inclusive -5
^info -9,^information -18,^initiate 100,^install 71,^instead 13,^instructions -37,^iso -13,^issue -13,^issues -4,^it 48,^items -7
^its -30,^job -20,^json -14,^keep 22,^key -19,^keywords -22,^know -73,^label -4,^labels -9,^language -9,^last -28,^later 49
^latest 22,^latitude -21,^leave 138,^length -4,^like -7,^limit -16,^limits -9,^link -6,^linked -7,^links -7,^list -59,^lists -61
^loads 139,^local -4,^locate 23,^location -15,^log -13,^login -20,^logs -17,^longitude 12,^look -12,^looks 16,^low -31,^lower 23
^make 75,^manage -11,^margin -18,^mark -63,^markdown -22,^match -56,^matches -11,^matching 54,^max -49,^maximum -42,^may -61
^mcp -5,^mean -12,^memory -5,^metadata -9,^metrics -5,^might -4,^minimum -10,^mode -14,^modifies 51,^modify 13,^monitor -9
^monitoring -9,^more 18,^move -10,^must -56,^mutually -4,^n -9,^name -46,^names -46,^need -23,^needs -15,^negative -16,^never 40
^new 28,^next -4,^no -32,^nobody 83,^non -12,^none -50,^not -43,^note -6,^notes 10,^nothing 48,^now 84,^null -60,^number -57
^numbers 21,^of 55,^off -6,^offset -11,^omit -61,^omitting -9,^on 117,^once 141,^one -35,^only 5,^open 48,^opens 53,^operation -5
^optional -56,^optionally -14,^options -24,^or -96,^order -36,^orders -43,^organization -23,^other 44,^otherwise -17,^output -10
^overrides -22,^overwrite 52,^owner -5,^package 29,^page -14,^pages -8,^pagination -11,^paid -16,^parameter -12,^parameters -28
^parse -9,^pass 10,^password 34,^path 7,^paths -18,^patterns -4,^payment -17,^perfect -34,^performance -17,^permanently 10
^personal -4,^phone -11,^pick 66,^plain -4,^plan -5,^platform -25,^please 58,^plus -4,^point 48,^poll -28,^post -6,^posted -7
^posts 83,^prefer -14,^prefix -6,^prefixes -5,^present -4,^preview -4,^price -8,^primary -13,^private -7,^proceed -14,^process -6
^product -27,^profit -8,^progress -7,^prompt -32,^provide -32,^provided -10,^provides -21,^providing -19,^public 78,^published -20
^push 7,^put 110,^queries 65,^query 29,^questions -15,^quote -6,^rather -4,^raw -5,^re -15,^read 23,^reading 11,^readonly -23
^reads 145,^readwrite -4,^real -5,^receive -25,^recent -4,^recommendations -5,^recommended -7,^records -8,^refunds 5,^regardless 57
^region -7,^register 43,^registry -8,^relative -12,^remember 41,^remove -31,^removed -40,^removes -6,^removing -15,^rename -10
^renders 158,^repeat -22,^repeats 39,^replace 8,^replaces -19,^report 13,^repository -48,^request -18,^requests 73,^required -78
^requires -76,^response -6,^result -4,^retrieve 4,^retrieves -24,^retry -8,^returns -71,^review -12,^root -9,^run 45,^runs 4
^runtime -5,^s -22,^sales -10,^save -11,^saves -59,^scope -22,^search -12,^searches -14,^security -9,^see 64,^select -8,^send 144
^sends -43,^server -30,^service -11,^services -4,^set -43,^sets -22,^setting -17,^share -60,^shipping -20,^should 34,^show -73
^showing -4,^shows -92,^similar -7,^since -42,^single -15,^sku -13,^so -37,^sort -20,^source -4,^space -5,^specify -20,^stage 50
^standard -10,^start -48,^starting -11,^starts 37,^state -7,^status -34,^step 115,^stock -22,^stop -6,^storage -7,^store 18
^str -20,^string -30,^structured -5,^style 46,^submit -4,^success -6,^summary -18,^supported -8,^supports -17,^surface -16,^sync 29
^system 139,^t -13,^table -12,^tag -8,^tags -13,^take 33,^takes -24,^target -8,^tasks -10,^technical -25,^tell 71,^tests -23
^text -63,^that 54,^the -5,^their -50,^then 19,^there 80,^these 32,^they -34,^this 61,^three 61,^time -28,^title -31,^titles -25
^to 44,^todo 21,^token -42,^tool -49,^top 34,^topic -31,^total -9,^transfer -4,^treat 33,^trigger -18,^true -53,^trust 60,^try -16
^turn 32,^type -32,^types -6,^typically -4,^unique -5,^unit -4,^units -16,^unless -16,^up -11,^update -44,^updates -5,^upload -7
^uploads 26,^url -48,^usage -32,^use -27,^used -20,^useful -63,^user -35,^username -19,^users 28,^uses -16,^using -19,^v1 4
^valid -26,^validate -22,^validates -13,^validation 38,^value -33,^values -61,^verification 52,^verify -9,^version -17,^view -17
^wait -13,^waits -19,^want -74,^wants -13,^warning -11,^was -11,^well -4,^were 56,^what 57,^when 89,^where -6,^whether -74
^which -30,^while 5,^why -13,^width -7,^will -56,^with -32,^within -5,^without 131,^work -6,^works -78,^write -46,^writes -20
^you 67,^your 17,^yyyy -13,^zero -8,a_user -13,about -36,above 38,absolute -29,accept 55,accepted -13,accepts -7,access -19
accessible -19,accordingly 14,account 22,accounts 67,accuracy 59,accurate -42,acme 81,across -32,action -59,actionable -6
actions 40,active -94,activity -9,actual -16,add -8,added 63,adding 34,additional 89,additionally 56,address 18,addresses -38
adds 70,adjusted -6,admin 4,administrative 5,advanced -7,after -36,after_a -69,after_each -34,after_the 159,after_this -13
afterwards 40,again -68,against -16,age -7,agent -20,aggregated -8,ai -9,algorithm -8,all 26,all_the -14,allow 14,allowed -65
allowing -11,allows -52,along 42,also 54,also_be -23,alternative -19,always -83,always_be 59,amazon -34,ambiguous -20,among 42
amount 23,amounts -27,an -28,analysis -68,analyze -26,analyzing -12,anchor -11,and 10,another 23,answer 142,answered -21
answering 59,answers 72,any 61,anything -74,api -93,apis -5,app -109,appear 65,application 75,applications -22,applied -9
applies 76,apply 87,approval -93,approve 74,approved 42,apps -9,archive -41,archived -24,archives -4,are 35,are_also 10
are_always -17,are_in -27,are_no 70,are_the -17,area -21,args -20,argument 115,arguments 4,arn -18,around -4,array -42,article -4
articles 27,artifact -5,as 51,as_a 28,as_an 30,as_it 20,as_the 21,as_this -7,ask 65,asked -9,asking 20,asks -35,assets -28
assign -17,assistant 111,associated -37,assume -22,async -5,asynchronous -12,attach 53,attached 83,attachment -31,attachments -12
attendees 68,attribute -6,attributes -10,audio -23,audit 17,authenticate -4,authenticated -7,authentication -22,author -46
authorization -62,auto -30,automated -6,automatic -6,automatically -36,automation -4,autonomous -7,availability -6,available -5
average -11,avoid -5,aws -36,back 18,backup 5,balance -13,base -33,based -51,basic -17,batch -14,batches -4,be 28,be_a -17
be_in -94,be_the -23,because -97,been 69,before -5,before_any 69,before_it -4,before_the 57,before_this -10,before_you -151
beforehand -80,begin 59,beginning -15,behavior -8,behind -8,being -37,belong -5,best 89,between 62,beyond -10,bias -282,binary -4
block -11,blocked -12,body -22,boolean -22,bot 33,both -20,boundaries -5,branch -15,branches -9,break -7,brief -6,broken 124
browse -13,browser -9,bucket -48,buckets -5,budget -55,bug 31,build 22,building -15,builds -33,bulk -12,business -49,but -67
buy -56,by 14,by_a 84,by_an -53,by_its -31,by_the 57,by_this 19,byte -23,bytes 31,cache -26,cached 25,caching 60,calculates -6
calendar 15,calendars -4,call 18,called -29,caller -48,calling 40,calls 39,can -81,can_be -8,cancel 50,cancellation 6,cancelled 50
canonical -12,cap -17,capabilities -8,capped -19,capture -82,card 28,carried 15,carries -9,carry 111,case -38,cat 6,categories -37
category -63,cause -5,caution -19,cdk -11,certificate 24,chain 11,change -75,changelog -46,changes -45,changing -13,channel 5
character -13,characters -32,chart -79,charts -21,chat 45,cheapest -18,check -41,checking 65,checks -45,child -14,choice -18
choose -11,chosen -41,chronological -6,city -23,clarification -6,class 12,classes 53,claude -36,clean -10,cleanup -5,clear -28
clearly -5,cli -9,click -36,client -66,clients -21,close 19,closed -41,cloud -48,cloudflare -24,cloudwatch -5,cluster 54,code 48
codes 14,coding -36,collect 52,collected -18,color 155,columns -9,com -9,combination -4,combinations -9,combined -10,come -26
comes -60,comma -42,command -7,commands -40,comment -37,comments -34,commit -14,commits -9,common -16,company -57,compare -12
comparing -37,comparison 10,compatibility 51,complete -38,completed 43,completely -4,completion -21,complex -20,component -19
components -27,comprehensive -30,conditions -13,configuration 30,configurations -17,configure -4,configured -67,configures -11
confirm -56,confirmation 24,confirmed -33,conflicts 34,connect -13,connected -22,connection 7,considered 27,consistent 101
console -19,constraints 8,contact 10,contacts -16,contain 62,container -38,containers -7,containing -27,contains -22,content -140
contents 33,context -109,continue -42,control 42,conversation 61,conversations -10,conversion -10,convert -15,converted -36
copied -16,copies 69,copy 71,core -12,correct 22,correctly 47,cost -63,costs 22,count 76,country 27,counts -19,course 101,cover -39
coverage -5,covers -13,cpu 22,create -62,created 6,creates -40,creating -17,creation -30,credentials 4,credit 10,credits -9
criteria -36,critical -13,cron 40,cross -20,ctx -17,currency -80,current -85,currently -48,cursor -25,custom -57,customer -31
customers 26,daily -21,data -105,database -27,dataset -5,date -80,dates 37,datetime -6,day -89,days -63,dd -27,debug 14
debugging 85,decimal -7,decision -6,decisions -6,default -114,defaults -22,defined -4,definitions -19,delete -23,deleted -76
deletes -15,deleting -33,delivered 15,demand -6,depend -5,dependency -8,depends 26,deploy 28,deployment -64,deployments -6
deprecated -21,depth -8,describes -9,describing -10,description 20,descriptions -4,design -11,destination 70,detail 59,detailed -37
details -55,detected -29,developer 53,development -10,device -14,dict -9,dictionary -16,diff -27,differences -9,different -52
dimension -21,dir -4,direct -39,directions 15,directly -37,directories -86,directory 36,disable 23,disabled -4,discover -15
discovering -8,display -52,displayed -20,distance -16,distinct -4,distinguish -4,distribution -6,dns 29,do 97,docker -10,docs -8
document 15,documentation -35,doe 90,does -35,doing 75,domain -14,done -75,down 57,download -12,downloads 27,draft -13,drive -7
drop 41,drops -12,due -5,duplicate -15,duplicates 65,duration -24,during 61,dynamically -31,dynamodb -7,each 5,earlier 105
earnings -8,edit -18,edited -5,editing -28,edits -15,effect -14,efficient -5,either -46,element -23,else 57,email 19,embedded 34
empty -77,enable -42,enabled 96,enables 5,encoded 33,encoding -9,encryption 28,end -16,ended -147,ending 20,endpoint 29
endpoints -24,ends -16,engine -4,enough -38,ensure -15,ensures -30,entire -9,entities -13,entity -29,entries -24,entry -25,env 10
environment -4,environments -4,equal 19,equivalent -11,error -105,errors -50,essential -14,estimate -10,etc -39,even 24,event -7
events -50,every 63,everything 88,exact -46,exactly -16,example 34,examples -16,exceed -42,excel -11,except -34,exception 68
exclude -4,excluded -11,exclusive -7,execute -17,executed 23,executes 88,executing -42,execution 16,exist -23,existing -93
exists -9,expand -13,expected 65,expiration -9,expire -12,expired -4,expires -5,expiry -11,explain -16,explanation -7,explicit -6
explicitly -57,explore -11,export 19,exposes -12,expressions -8,extension -10,external 130,extra -14,extracts -24,fact 30,factor -7
facts -13,fail 83,failed -64,fails -18,fallback -27,false -42,far 9,fast -11,fastmcp -35,feature -17,features -10,fee 19,feed 7
feedback -36,fees -22,fetch -12,fetched -36,fetches 138,fetching -31,few 31,field -6,fields -83,figures 40,file -37,file's -4
filename -25,files 32,filesystem -41,filled -30,filter -60,filtered -12,filtering -34,final -16,find -22,finding -56,finds -11
first -102,fix 4,fixed -13,flag -8,flexible -11,flow -28,folder 22,follow -44,followed 84,following -26,follows -12,for -11
for_a -96,for_all 78,for_an -17,for_any -32,for_each -26,for_every -15,for_it 13,for_that 4,for_the -6,for_this -67,for_user -12
for_you 12,force -4,forecast -29,format -74,formats 40,formatted -19,formatting -22,forward 20,found 8,four -12,free 107
frequency -20,from -29,from_a -54,from_any -7,from_it -9,from_the 39,from_this 36,from_your -12,full 24,fully -6,function 69
functionality -18,functions 38,funds 16,further 43,future 26,gather 7,generate -20,generated -21,generates -18,generation -14
generic -9,geocode -41,get -66,gets 50,getting -7,git 130,github -70,give 99,given -67,gives -32,global -11,go 147,goes 103
good -51,google -26,grant 7,granularity -5,graph -35,graphql -32,great -5,group -74,grouped -42,groups -45,guest 65,guidance -5
guide -8,guidelines 50,half 74,hand 77,handle -9,handled 12,handles -13,handling 14,happens 6,has 72,has_a 19,has_been 70
has_no -20,has_the 5,has_to -115,hash -29,have -24,have_been -42,have_no 11,have_the -4,have_to 39,having 76,head -12,header -48
headers -9,heading -27,health -35,height -36,help -10,helper 97,helps -19,here 216,hesitate -10,hidden 163,high -59,higher -11
highest 43,hint 74,historical -26,history -33,hold -7,home 43,host 104,hour -67,hours -41,how -16,html -41,http -53,https -13
human 42,iam -16,id -90,identifier -48,identifiers -6,identify -15,identifying -8,identity 66,ids -52,if -37,if_a -17,if_any -13
if_it -12,if_no -75,if_not -39,if_the -14,if_this -5,if_you -7,ignore 14,ignored -55,images 63,immediately -45,impact -6
implementation -11,import 82,important 33,improves 33,in 34,in_a -73,in_all 16,in_an -5,in_each -7,in_its 11,in_that 60,in_the -29
in_this 40,in_to -14,in_your -7,include -48,included 4,includes -18,including -73,inclusive -6,incomplete 93,index -74,indexed -4
indexing 64,indicate -22,indicates -26,indicating -10,individual -17,info -29,information -131,infrastructure -6,initial 49
initiate 93,initiates -8,injected -4,inline -21,input 24,insensitive -6,insert -11,inside -48,insights -9,inspect 10,install 89
installed -23,instead -31,instructions -9,integer -9,integration -26,intent -24,interest -23,interface 15,internal 67,internet -58
interval -57,intervals -17,into 69,into_a 6,into_the 58,invalid -14,invoice -6,invoke 129,ip 30,irrelevant -84,irreversible -6
is 35,is_a -61,is_always -41,is_an 44,is_for 31,is_in -58,is_no -31,is_only 75,is_the -57,is_to 66,iso -20,issue -71,issues -54
it's -15,it_as 21,it_can -32,it_for -59,it_has -6,it_in 42,it_is -30,it_must -24,it_should -46,it_to 118,it_was 68,it_will 107
item 28,items -55,its 176,itself -13,javascript -35,job -78,jobs -30,john -5,json -44,just -5,keep 16,kept -55,key -7,keys 18
keyword -17,keywords -46,kind -7,know -80,knowledge -66,known -34,label -34,labels -22,lambda -10,language -59,large -30
largest -16,last -22,later 34,latest 36,latitude -8,layout -6,least -69,leave 118,left 35,legacy -22,length -9,less -15,let 35
level -93,levels -5,library 25,like -41,limit 20,limited -29,limits -22,line -28,lines -28,link -73,linked -22,links -59,list -62
listed 6,listing 4,lists -89,live 34,llm -57,load 33,loaded 101,loads 113,local -80,locate 22,location -48,locations -16,locked 33
log 13,logged -6,logging 39,logic -10,login 51,logs -51,long -40,longer 62,look -23,looks 21,lookup 40,low -47,lower 23,lowest -4
machine -12,machines -28,made -28,mail -4,main -17,maintain 16,maintenance -7,make 50,making 40,manage -15,managed -11
management -28,manager -8,manifest 7,manual -26,manually -6,many -71,map -16,mapping -11,margin -65,mark -54,markdown -30
marked -10,marker -18,market -14,marketplace -26,marks -8,markup -5,match -83,matches -46,matching -27,max -50,maximum -45,may 15
may_be 70,may_not -22,mcp -71,mean -38,means 21,medium -21,meeting -9,members 114,memory 32,merge -5,merged -7,message -7
messages -48,meta 6,metadata -8,method -81,methods -31,metric -7,metrics -11,might -26,migration -38,milliseconds -8,mime -15
minimum -13,minus -10,minute 4,minutes 39,mirror -9,missing -66,mm -26,mode -16,model 53,models -42,modes -4,modified -9
modifies 50,modify 13,money -33,monitor -14,monitoring -72,month -44,monthly -15,months -10,more 29,most -20,move -26,moved 50
moves -17,much -6,multi -38,multiple -50,must 23,must_always 39,must_be -24,must_have -15,must_not 30,mutually -6,name -132
names -78,namespace -18,narrow -10,native -11,navigate -27,near -13,nearest -9,necessary 75,need -48,needed 16,needs -106
negative -18,neither -15,nested -5,never 39,new -67,newest -30,newly -7,news -5,next 28,no 35,nobody 160,node -26,non -28,none -78
nor -4,normal -18,not 12,not_the -20,not_to -4,note -14,notes 47,nothing 143,notification -30,notifications -23,now 118,npm 6
null -73,number -35,numbers 78,numeric -10,oauth -25,object -55,objects 36,obtain -11,obtained 159,occur 26,occurred -24
occurrence -7,occurrences -8,of 24,of_a -42,of_all -74,of_an -44,of_each 36,of_its -38,of_that -26,of_the 34,of_this -5
of_those -17,of_tool -29,of_your 15,off 12,offer -10,offers -42,official -8,offset -16,often -58,old -35,older 43,omit -66
omitted 27,omitting -14,on -21,on_a -80,on_each -19,on_the 18,once -6,one -54,ones 7,only 29,only_after 8,only_for -23,only_if -17
only_the 60,only_when -5,op -7,open 4,opened 61,opening -30,opens 16,operating -25,operation -26,operations -17,operator 5
optimal -9,optimization -12,optimized 6,optional -61,optionally -17,options -42,or -161,order 19,ordered -10,orders 19,org -15
organization -46,organizations -6,organize -5,original 43,other 110,others 115,otherwise -47,our 106,out 215,outcome 37,output 18
outside -18,over 49,overrides 69,overview -27,overwrite 22,overwritten 7,owner -86,page -60,pages -98,paginate -5,pagination -68
paid -58,pairs -9,paper -13,papers 39,paragraph -17,parameter 85,parameters -33,parent -61,parse -10,parses -14,part 63,partial -4
participants -14,particular -7,party 69,pass -11,passed 47,passing 12,password -7,passwords 31,past -73,patch -13,path -63
paths -64,pattern 10,patterns -39,payload 75,payment 13,pending -38,per -62,percentage -4,perfect -37,perform -14,performance 34
performs -6,period -49,periods -6,permission -38,permissions 11,person 127,personal -52,photos 32,pick 66,picture 44,pid -4
pipeline 13,place 95,placeholders -12,places -20,plain -24,plan -46,planning -7,platform -47,please 65,plus -11,png -5,point -7
points -18,policies -60,policy 41,poll -28,pool -8,port 51,portal -31,position -7,positive 7,possible -23,post -14,posted -16
posts 52,pre -39,prefer -61,preferences -9,prefix -13,prefixes -12,premium -5,present -133,preserved -6,preserving -5,preview -5
previous 59,previously -11,price -41,prices -7,pricing -33,primary -25,print 85,prior 98,priority 157,private 95,problems -11
proceed -22,processes 17,processing -12,product -80,production 42,products -28,profile 87,profit -40,progress -33,project -84
projects -18,prompt 64,proper -10,properly -14,properties -5,property -16,protected 15,protection -6,protocol -23,provide -17
provided -85,provider -41,providers -8,provides -81,providing -29,proxy 59,public 86,published -47,pulsemcp -18,purchase 39
purchases 37,purposes 25,push 49,pushed 28,put 154,python -29,quality 55,queries 64,query 14,question 61,questions -28,queue -30
quick -19,quote -19,random 5,range -68,ranges -9,rank 13,ranked -31,rate -37,rates -104,rather -75,rating -21,raw -37,re 57
read -16,readability -8,readable -35,reading 31,readme -7,readonly -29,reads 87,readwrite -4,real 138,reasons 42,receive -27
received 50,recent -18,recipient 35,recommend 71,recommendation -31,recommendations -9,recommended -6,record 93,records -46
recurring -18,redirect -6,redis -5,reduce -19,reference 46,references -45,refresh -7,refunds 8,regardless 41,region -16,regions -9
register 51,registered -13,registry -44,regular -11,rejected -28,related -19,relative -23,release 14,released -7,relevance 8
relevant 80,reliable 9,remain 27,remaining -14,remember 35,reminders 22,remote -69,remove -29,removed -102,removes -9,removing -17
rename -17,rendered -17,rendering -6,renders 141,reorder -8,repeat -18,repeats 39,replace 46,replaced 33,replacement -28
replies -31,reply -17,repo -25,report -35,reported -42,reporting 30,reports -5,repositories -14,repository -35,represents -6
request 22,requested 11,requests 38,require -18,required -57,requires 14,requiring -26,research -10,reserved -20,reset 56
resolution -19,resolve -5,resolved -14,resource -61,resources -43,response -100,responses -7,rest -28,restart -11,restore -6
restrict -25,restrictions 50,result 26,results 27,retention -43,retried -6,retrieval 9,retrieve -27,retrieved -11,retrieves -45
retrieving -11,retry -5,return -32,returned -88,returning 6,returns -40,reveal 115,reverse 39,review 38,reviewed -43,reviewer 39
reviews 13,revise -24,right 30,role -6,room -12,root -20,rounded 43,route -4,routes -5,routing -35,row -10,rows 78,rule 4,rules 68
run 7,running 43,runs 51,runtime -29,safe 34,safety 76,sale -14,sales -33,sample 5,save -5,saved 6,saves -50,savings -14,says 22
scan -21,scenarios -15,schedule -31,schedules 9,schema -67,scope -28,scoped -20,score -30,scores -19,screenshot -13,script 133
search -56,searched -4,searches -10,searching -9,second 49,seconds -36,secret -52,secrets -33,section -25,sections -21,security 22
see -13,select -21,selected -9,selection -9,selects -32,send 118,sender 6,sending -10,sends -40,sensitive -92,sent -56,sentence 30
sentences 8,separate -8,separated 31,separately -16,series -9,server 43,servers -62,service 125,services -16,session 37,set -19
sets -46,setting -33,settings -76,setup -15,several -59,severity -8,share -121,shared -46,shares -37,shell 150,shop -139,short -21
should 125,should_be -68,should_not -27,show -60,showing -41,shows -77,side -44,silently 84,similar -10,simple -11,since -70
single -50,site 50,size -25,skip 29,skipped -13,sku -16,slack -23,slow 30,slug -32,small 12,smart -7,snapshot -41,snapshots 13
so 28,social 6,sold -23,some -54,someone 66,sort -23,source -55,sources -38,space -17,specific -82,specified -109,specifies 7
specify -20,specifying -8,spend -28,spent -19,split -14,sql -19,ssh -48,stack -25,stage 5,standard -10,stars 14,start -58
started 35,starting -37,starts 82,startup -18,state -51,statement 20,statements -20,states -8,statistics 72,stats -6,status 47
stay 27,stays 102,step 60,still 45,stock -50,stop 7,stopped -7,storage -13,store 6,stores -23,str -20,strategy -4,stream -73
string -36,strings -47,structure -29,structured -33,stuck -6,study -24,style 40,sub -33,subdirectories -15,subject 10,submit -6
submitted 27,subscription -8,subsequent -22,succeed -13,success -11,successful -12,successfully -5,such 15,suggested -7
summaries -4,summary 65,supplied 82,supplier -94,support -17,supported -21,supports -16,sure 53,surface -19,switch -5,symbol -26
symbols -15,sync 66,syntax -7,system 23,systems -5,table 8,tables 42,tag -24,tags -38,take 43,taken 23,takes 64,target -42
targeted -53,task 78,tasks -47,team 46,technical 24,tell 98,temperature 77,template -20,templates -33,temporary -4,ten 73
terminal 23,terminate -17,terms 16,test -42,testing -9,tests -61,text 84,than -73,that 31,that_a 9,that_an -12,that_are -61
that_can -25,that_have -20,that_is -25,that_it -55,that_the 73,that_this 48,that_was -12,that_you 63,the 15,the_tool 53,the_user 65
the_user's 79,their 11,them 48,then 33,there -19,these 29,these_are -22,they -59,thinking -35,third 39,this 61,this_after -13
this_for -22,this_is 21,this_to -31,this_tool 68,this_when -25,this_will -61,those 107,thought 17,thoughts -36,thread -41,three 21
threshold -17,through 69,ticker -11,tickets -77,tier -6,time -78,timeout -12,times -14,timestamp -10,timestamps -25,timezone -8
tip 143,title -71,titles -54,to -20,to_a -42,to_all -5,to_an 106,to_be 19,to_this 71,to_your -40,today 59,todo 19,together 5
token 4,tokens -26,too -15,tool 23,tool_for -22,tool_is 56,tool_may 79,tool_that -24,tool_to -82,tool_when -65,tool_will -22
tool_with -21,tools 16,top 46,topic -46,topics -7,total -57,trace 43,track -11,tracking -7,transaction -18,transactions -34
transfer 115,transfers -49,travel -18,treat 37,tree -15,trends -13,trigger -35,triggers -13,troubleshooting -4,true -107
truncated -22,trust 82,try -15,trying -13,turn 90,twice 107,two 98,type -64,types -45,typical -9,typically -37,ui 91
unavailable -29,under -35,underlying -19,understand -24,understanding -26,unified -19,unique -15,unit -56,units -45,unknown -9
unless -39,unless_the -4,until -72,until_the -6,untrusted -26,unused 36,up 30,upcoming -4,update -27,updated -21,updates -48
updating -7,uploaded -26,uploading 22,uploads 24,upon 44,urgent 27,url -46,urls -14,us 68,usage -48,use -19,used 43,useful -68
user 41,user's 70,user_can 9,user_for 19,user_from 11,user_has 54,user_if 10,user_is 29,user_must -24,user_that 57,user_to 35
user_will -20,user_with 43,username -28,uses -50,using -100,usually -8,utc -34,utf -26,uuid -11,valid -63,validate 59,validated -8
validates -17,validating -5,validation 43,value -24,valueerror -13,values -47,variable 18,variables -28,variant -5,various -15
verification 88,verifies -6,verifying -4,version -113,versions 24,very -5,via 59,video 4,view -31,viewing -12,views -21,virtual -4
visibility 32,visible 44,visit -9,volume -32,volumes 33,wait -35,waiting -5,waits 52,want -77,wants 14,warning -34,warnings -52
was 58,way 81,weather -71,web 85,website -15,week -9,weekly -5,weeks -13,weights -7,well 11,were 94,what 37,what's -33,whatever 99
when -37,when_a -11,when_it -53,when_not -45,when_the 34,when_to -16,when_user -10,when_you 4,whenever 92,where -60,whether -81
while 20,whitespace -37,who -4,whole -24,width -34,wildcards -33,will -47,will_be 17,window -18,with -8,with_a -13,with_an -33
with_each 30,with_it 77,with_its -24,with_that -27,with_the 8,with_this -20,with_your -5,withdrawn 29,within -77,without 39
without_a -10,without_it -11,word -33,words -54,work -33,worker -17,workers -9,workflow -34,workflows 37,works -37,workspace 41
would 54,write -53,writes -28,written 76,wrong 57,xml -4,year 9,yet -9,you 33,you'll -16,you've -4,you_are 112,you_can -52
you_have 45,you_may -36,you_must -36,you_should -6,you_to -53,your 23,yourself -37,yyyy -29,zero 66,zone -10,~AGENT -63
~ALLTOOLS -84,~ARGUMENT -71,~CLAIMEDGAIN -32,~CODE -55,~CONVERSATION -116,~DEST -88,~DESTROY -93,~ELSE_FAIL -34,~EMAIL -21
~ENTAILS -63,~EVERYTIME -53,~LITERAL -44,~NAME -42,~NAMES -81,~OPENED -103,~PRETEXT -57,~PRIORITY 18,~PROTECTS -91,~QUOTED -100
~REGARDLESS 90,~SECRET -162,~SECRETFILE 241,~SECRETLY -39,~SEND -62,~SQL -27,~STRONGMUST -100,~TOBE -55,~UNASKED -63,~URL -62
~USERONLY -95,~WHENEVER -20
`
