/** Things for kitchen, desk, room and pets, as they are drawn. Each stands on the line y = 324. */
import { line, type Motif, oval, path, rect } from './shapes.ts'

export const cup: Motif = ({ main, shade, shine, dark, pale }) =>
  line('M262 200c60-6 60 84-8 76', main, 18) +
  path('M118 176h156l-12 122q-3 24-27 24h-78q-24 0-27-24z', main) +
  path('M118 176h36l-6 146q-15-2-18-24z', shine) +
  oval(196, 176, 78, 16, shade) +
  oval(196, 177, 66, 11, dark) +
  line('M170 142c-12-20 12-28 0-48M198 142c-12-20 12-28 0-48M226 142c-12-20 12-28 0-48', pale, 7)

export const dripper: Motif = ({ main, shade, shine, dark, pale, wood }) =>
  path('M124 232h152l-8 74q-2 18-20 18h-96q-18 0-20-18z', pale) +
  path('M130 268h140l-4 38q-2 18-20 18h-92q-18 0-20-18z', dark) +
  path('M108 104h184l-58 104h-68z', main) +
  path('M108 104h40l36 104h-18z', shine) +
  rect(136, 206, 128, 16, 8, shade) +
  rect(100, 94, 200, 14, 7, shade) +
  oval(200, 222, 16, 6, wood)

export const kettle: Motif = ({ main, shade, shine, dark, wood }) =>
  line('M148 196c-70-2-44-70-82-84', main, 16) +
  line('M262 190c80-26 70 100-6 96', dark, 16) +
  path('M132 176h136l22 120q4 28-24 28h-132q-28 0-24-28z', main) +
  path('M132 176h32l-20 148h-10q-28 0-24-28z', shine) +
  path('M146 176q54-52 108 0z', shade) +
  oval(200, 144, 12, 11, wood)

export const grinder: Motif = ({ main, shade, shine, dark, wood, pale }) =>
  line('M200 116h74', dark, 12) +
  oval(284, 110, 17, 17, wood) +
  path('M144 180q0-62 56-62t56 62z', shade) +
  rect(136, 178, 128, 20, 10, main) +
  path('M140 198h120l-8 64h-104z', pale) +
  path('M150 214h100l-7 48h-86z', dark) +
  rect(132, 260, 136, 64, 12, main) +
  rect(132, 260, 34, 64, 12, shine) +
  rect(182, 280, 36, 24, 6, shade)

export const bag: Motif = ({ main, shade, shine, pale, dark }) =>
  path('M124 128h152l10 178q1 18-17 18H131q-18 0-17-18z', main) +
  path('M124 128h34l-18 196h-9q-18 0-17-18z', shine) +
  path('M124 128l12-36h128l12 36z', shade) +
  oval(200, 228, 48, 48, pale) +
  path('M176 248q-8-40 44-44q12 50-44 44z', dark) +
  line('M182 244q16-14 34-34', pale, 4)

export const bottle: Motif = ({ main, shade, shine, dark, pale }) =>
  rect(172, 82, 56, 38, 10, dark) +
  path('M180 118h40q2 34 26 48q12 8 12 26v108q0 24-24 24h-68q-24 0-24-24V192q0-18 12-26q24-14 26-48z', main) +
  path('M180 118h14q-2 40-28 56q-8 6-8 20v130q-16-4-16-24V192q0-18 12-26q24-14 26-48z', shine) +
  rect(142, 212, 116, 62, 0, pale) +
  line('M166 234h68M178 254h44', shade, 6)

export const chair: Motif = ({ main, shade, shine, dark }) =>
  line('M200 248v44M200 292l-58 24M200 292l58 24M200 292v28', dark, 12) +
  oval(140, 318, 9, 8, dark) +
  oval(260, 318, 9, 8, dark) +
  oval(200, 322, 9, 6, dark) +
  path('M140 98q0-26 28-26h64q28 0 28 26l-8 102h-104z', main) +
  path('M140 98q0-26 28-26h12l2 128h-34z', shine) +
  line('M116 222v-34h20M284 222v-34h-20', dark, 10) +
  path('M118 212q0-14 14-14h136q14 0 14 14v22q0 18-18 18H136q-18 0-18-18z', shade) +
  line('M168 112h64M170 140h60M172 168h56', shade, 5)

export const desk: Motif = ({ main, shade, wood, dark, shine }) =>
  rect(88, 214, 224, 18, 6, wood) +
  line('M112 232v88M288 232v88', dark, 12) +
  rect(204, 232, 74, 46, 6, main) +
  rect(228, 248, 26, 8, 4, shine) +
  rect(124, 128, 108, 70, 8, dark) +
  rect(132, 136, 92, 54, 4, shine) +
  line('M178 198v14', dark, 10) +
  path('M262 214l6-46h26l6 46z', shade)

export const lamp: Motif = ({ main, shade, shine, dark, pale, wood }) =>
  path('M110 212l-24 112h228l-24-112z', pale).replace('/>', ' opacity="0.45"/>') +
  line('M200 206v104', wood, 12) +
  oval(200, 316, 58, 10, dark) +
  path('M156 92h88l46 120H110z', main) +
  path('M156 92h26l-30 120h-42z', shine) +
  oval(200, 212, 90, 10, shade)

export const vase: Motif = ({ main, shade, shine, dark }) =>
  line('M200 160c-4-40-40-60-52-84M200 160c0-50 6-70 2-104M200 160c6-36 40-44 54-76', dark, 6) +
  oval(146, 74, 17, 17, shade) +
  oval(202, 52, 17, 17, shade) +
  oval(256, 80, 17, 17, shade) +
  oval(172, 112, 17, 17, shade) +
  oval(232, 116, 17, 17, shade) +
  path('M172 156h56q-4 32 24 60q30 32 14 74q-12 34-44 34h-44q-32 0-44-34q-16-42 14-74q28-28 24-60z', main) +
  path('M172 156h16q-2 36-28 66q-22 30-8 70q8 26 22 32q-28-4-40-34q-16-42 14-74q28-28 24-60z', shine) +
  rect(166, 148, 68, 14, 7, shade)

export const plant: Motif = ({ main, shade, shine }) =>
  path('M200 220C120 200 108 130 116 96c60 8 90 60 84 124z', 'hsl(140 32% 38%)') +
  path('M200 220c80-20 92-90 84-124c-60 8-90 60-84 124z', 'hsl(146 34% 32%)') +
  path('M200 228c-34-60-22-120 0-160c24 40 34 100 0 160z', 'hsl(134 34% 46%)') +
  path('M136 216h128l-14 90q-3 18-21 18h-58q-18 0-21-18z', main) +
  path('M136 216h32l-4 108q-12-2-14-18z', shine) +
  rect(126, 206, 148, 20, 8, shade)

export const frame: Motif = ({ main, shade, shine, pale, wood }) =>
  rect(104, 72, 192, 240, 6, wood) +
  rect(118, 86, 164, 212, 2, pale) +
  rect(138, 108, 124, 168, 0, shine) +
  oval(222, 154, 24, 24, main) +
  path('M138 276v-54q32-40 60-6q30-40 64 8v52z', shade)

export const cushion: Motif = ({ main, shade, shine }) =>
  path('M104 136q96-34 192 0q26 84 0 168q-96 34-192 0q-26-84 0-168z', main) +
  path('M104 136q22-8 44-12q-26 92-6 190q-20-4-38-10q-26-84 0-168z', shine) +
  line('M150 176l100 92M250 176l-100 92M200 150v146M128 222h144', shade, 5)

export const pot: Motif = ({ main, shade, shine, dark }) =>
  line('M104 214h-26M296 214h26', dark, 16) +
  path('M104 196h192v92q0 36-36 36H140q-36 0-36-36z', main) +
  path('M104 196h40v128q-40 0-40-36z', shine) +
  path('M98 190q102-64 204 0z', shade) +
  rect(94, 184, 212, 16, 8, main) +
  oval(200, 142, 16, 13, dark)

export const pan: Motif = ({ main, shade, shine, dark, wood }) =>
  line('M278 214l86-62', wood, 20) +
  path('M66 214h224q0 74-62 74H128q-62 0-62-74z', dark) +
  oval(178, 214, 112, 26, shade) +
  oval(178, 214, 92, 18, main) +
  oval(150, 210, 28, 6, shine)

export const knife: Motif = ({ main, shade, shine, dark, wood, pale }) =>
  rect(86, 246, 228, 70, 14, wood) +
  path('M122 208L262 76q22 66-62 146z', pale) +
  path('M122 208L262 76q0 18-112 140z', shine) +
  path('M96 234l30-30 34 26-34 36q-20 6-32-10z', dark) +
  oval(254, 272, 26, 20, main) +
  oval(284, 282, 20, 16, shade)

export const board: Motif = ({ main, shade, shine, wood }) =>
  path('M130 120q0-20 20-20h24v-36q0-16 26-16t26 16v36h24q20 0 20 20v184q0 20-20 20H150q-20 0-20-20z', wood) +
  oval(200, 78, 9, 9, shade) +
  line('M158 132v170M242 132v170', shade, 3) +
  oval(184, 220, 26, 26, main) +
  oval(222, 252, 22, 22, shine)

export const bowl: Motif = ({ main, shade, shine, dark, wood }) =>
  path('M92 218h216l28 92q4 14-12 14H76q-16 0-12-14z', main) +
  path('M92 218h52l-30 106H76q-16 0-12-14z', shine) +
  oval(200, 218, 108, 24, shade) +
  oval(150, 210, 18, 12, wood) +
  oval(180, 200, 18, 12, wood) +
  oval(212, 206, 18, 12, wood) +
  oval(244, 212, 18, 12, wood) +
  oval(196, 218, 18, 12, wood) +
  oval(166, 220, 18, 12, wood) +
  oval(228, 222, 18, 12, wood) +
  oval(200, 284, 15, 12, dark) +
  oval(178, 268, 6, 8, dark) +
  oval(192, 260, 6, 8, dark) +
  oval(208, 260, 6, 8, dark) +
  oval(222, 268, 6, 8, dark)

export const bed: Motif = ({ main, shade, shine, pale, dark }) =>
  path('M84 232q0-44 44-44h144q44 0 44 44v60q0 32-32 32H116q-32 0-32-32z', main) +
  path('M84 232q0-44 44-44h10q-26 60-14 136h-8q-32 0-32-32z', shine) +
  oval(200, 240, 92, 36, pale) +
  path('M150 232q8-44 50-44t50 44q-48 22-100 0z', dark) +
  path('M160 198l-4-28 24 18zM240 198l4-28-24 18z', dark) +
  oval(200, 250, 70, 12, shade)

export const ball: Motif = ({ main, shade, shine, pale }) =>
  oval(200, 222, 102, 102, main) +
  path('M122 156a102 102 0 0 0 0 132q40-66 0-132z', shine) +
  line('M130 148c60 34 60 114 0 148M270 148c-60 34-60 114 0 148', pale, 9) +
  oval(216, 296, 52, 16, shade)
