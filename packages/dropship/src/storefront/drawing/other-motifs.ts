/** Things for sport, travel, care and tech, as they are drawn. Each stands on the line y = 324. */
import { line, type Motif, oval, path, rect } from './shapes.ts'

export const dumbbell: Motif = ({ main, shade, shine, dark }) =>
  rect(110, 236, 180, 24, 12, dark) +
  rect(78, 188, 36, 120, 12, main) +
  rect(286, 188, 36, 120, 12, main) +
  rect(112, 168, 38, 160, 12, shade) +
  rect(250, 168, 38, 160, 12, shade) +
  rect(84, 196, 9, 104, 5, shine) +
  rect(120, 178, 9, 140, 5, shine) +
  rect(258, 178, 9, 140, 5, shine)

export const mat: Motif = ({ main, shade, shine, dark }) =>
  path('M92 266h212q18 0 18 24v34H120z', main) +
  oval(110, 270, 54, 54, shade) +
  oval(110, 270, 40, 40, main) +
  oval(110, 270, 25, 25, shine) +
  oval(110, 270, 10, 10, dark) +
  line('M172 284h120M164 304h134', shade, 4)

export const band: Motif = ({ main, shade, shine, dark }) =>
  line('M120 150c-40 140 200 140 160 0', main, 26) +
  line('M126 170c-16 104 164 104 148 0', shine, 5) +
  line('M92 132h56M252 132h56', dark, 26) +
  oval(200, 312, 40, 8, shade)

export const tent: Motif = ({ main, shade, shine, dark, wood }) =>
  path('M200 96L344 324H56z', main) +
  path('M200 96L56 324h78z', shine) +
  path('M200 156l58 168h-116z', dark) +
  path('M200 156l58 168h-58z', shade) +
  line('M200 96l-12-22M200 96l12-22', wood, 7)

export const pack: Motif = ({ main, shade, shine, dark, wood }) =>
  line('M162 100c0-52 76-52 76 0', dark, 12) +
  path('M122 156q0-66 78-66t78 66v138q0 30-30 30h-96q-30 0-30-30z', main) +
  path('M122 156q0-48 42-62q-18 110-6 230q-36 0-36-30z', shine) +
  path('M142 220h116v64q0 20-20 20h-76q-20 0-20-20z', shade) +
  rect(138, 212, 124, 18, 9, wood) +
  line('M160 152h80', dark, 8)

export const lantern: Motif = ({ main, shade, shine, dark, pale }) =>
  line('M152 132c0-84 96-84 96 0', dark, 9) +
  rect(144, 126, 112, 28, 12, main) +
  rect(156, 152, 88, 112, 8, pale) +
  path('M200 178q34 40 0 72q-34-32 0-72z', 'hsl(40 88% 58%)') +
  line('M178 154v108M222 154v108', shade, 5) +
  rect(138, 262, 124, 62, 14, main) +
  rect(138, 262, 30, 62, 14, shine) +
  oval(200, 294, 12, 12, dark)

export const jar: Motif = ({ main, shade, shine, pale, dark }) =>
  rect(124, 150, 152, 44, 14, dark) +
  path('M116 194h168v96q0 34-34 34H150q-34 0-34-34z', main) +
  path('M116 194h38v130q-38 0-38-34z', shine) +
  rect(152, 226, 96, 58, 8, pale) +
  line('M172 246h56M182 264h36', shade, 6)

export const brush: Motif = ({ main, shade, shine, wood, dark }) =>
  path('M186 196h28l10 110q2 18-24 18t-24-18z', wood) +
  rect(178, 168, 44, 36, 6, shade) +
  path('M168 168q-26-70 32-110q58 40 32 110z', main) +
  path('M168 168q-26-70 32-110q-16 60-10 110z', shine) +
  line('M200 84v70', dark, 3)

export const mirror: Motif = ({ main, shade, shine, pale, wood }) =>
  path('M176 268h48l20 56h-88z', wood) +
  oval(200, 174, 102, 102, main) +
  oval(200, 174, 84, 84, pale) +
  path('M142 200l84-84 26 22-84 90z', shine) +
  oval(200, 322, 60, 8, shade)

export const headphones: Motif = ({ main, shade, shine, dark }) =>
  line('M104 244c-10-190 202-190 192 0', dark, 18) +
  rect(82, 222, 58, 100, 26, main) +
  rect(260, 222, 58, 100, 26, main) +
  rect(124, 234, 24, 76, 12, shade) +
  rect(252, 234, 24, 76, 12, shade) +
  rect(92, 240, 11, 60, 6, shine)

export const phone: Motif = ({ main, shade, shine, dark, pale }) =>
  path('M128 324l28-42h88l28 42z', shade) +
  rect(142, 70, 116, 222, 20, dark) +
  rect(150, 80, 100, 202, 13, main) +
  path('M150 93q0-13 13-13h30L150 200z', shine) +
  oval(200, 250, 17, 17, pale) +
  line('M176 118h48M176 138h30', pale, 7)

export const speaker: Motif = ({ main, shade, shine, dark, pale }) =>
  rect(118, 78, 164, 246, 30, main) +
  rect(118, 78, 34, 246, 30, shine) +
  oval(200, 236, 58, 58, dark) +
  oval(200, 236, 34, 34, shade) +
  oval(200, 236, 12, 12, pale) +
  oval(200, 134, 32, 32, dark) +
  oval(200, 134, 14, 14, shade)

export const keyboard: Motif = ({ main, shade, shine, dark, pale }) =>
  rect(60, 222, 280, 102, 16, dark) +
  [0, 1, 2]
    .flatMap((row) =>
      [0, 1, 2, 3, 4, 5, 6, 7].map((key) =>
        rect(
          74 + key * 32,
          234 + row * 28,
          26,
          22,
          5,
          (key + row) % 5 === 0 ? main : (key + row) % 3 === 0 ? shine : pale,
        ),
      ),
    )
    .join('') +
  rect(126, 196, 148, 16, 8, shade)

export const watch: Motif = ({ main, shade, shine, dark, pale }) =>
  path('M160 60h80l10 88h-100zM160 324h80l10-72h-100z', shade) +
  rect(130, 122, 140, 156, 42, dark) +
  rect(144, 136, 112, 128, 30, pale) +
  line('M200 200v-38M200 200l28 18', main, 8) +
  rect(272, 182, 12, 34, 6, shine)

export const parcel: Motif = ({ main, shade, shine, dark, pale }) =>
  path('M88 172l112-44 112 44v112l-112 40-112-40z', main) +
  path('M88 172l112 44v108l-112-40z', shine) +
  path('M200 216l112-44v112l-112 40z', shade) +
  path('M144 150l112 44v40l26-10v-40L170 140z', pale) +
  oval(122, 258, 12, 10, dark)
