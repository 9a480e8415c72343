// A table's camera in the browser: felt millimetres to pixels and back, as models/camera.py has it.
export function cameraOf(section) {
  if (!section) return null;
  if (section.matrix) return pinhole(section);
  const mm = section.points_mm ?? [];
  const px = section.points_px ?? [];
  if (mm.length < 4 || mm.length !== px.length || mm.some((point) => point.length > 2 && point[2] !== 0)) return null;
  const there = homography(mm, px);
  const back = homography(px, mm);
  return there && back ? { toPixels: (p) => through(there, p), toFelt: (p) => through(back, p) } : null;
}

function pinhole({ matrix, distortion = [], rotation: R, translation: t }) {
  const [k1 = 0, k2 = 0, p1 = 0, p2 = 0, k3 = 0, k4 = 0, k5 = 0, k6 = 0] = distortion;
  const bend = (x, y) => {
    const r2 = x * x + y * y;
    const radial = (1 + r2 * (k1 + r2 * (k2 + r2 * k3))) / (1 + r2 * (k4 + r2 * (k5 + r2 * k6)));
    return [radial, 2 * p1 * x * y + p2 * (r2 + 2 * x * x), p1 * (r2 + 2 * y * y) + 2 * p2 * x * y];
  };
  const toPixels = ([X, Y]) => {
    const [x, y, z] = R.map((row, i) => row[0] * X + row[1] * Y + t[i]);
    const [radial, dx, dy] = bend(x / z, y / z);
    const [u, v] = [(x / z) * radial + dx, (y / z) * radial + dy];
    return [matrix[0][0] * u + matrix[0][1] * v + matrix[0][2], matrix[1][1] * v + matrix[1][2]];
  };
  const centre = [0, 1, 2].map((j) => -(R[0][j] * t[0] + R[1][j] * t[1] + R[2][j] * t[2]));
  const toFelt = ([px, py]) => {
    const v = (py - matrix[1][2]) / matrix[1][1];
    const u = (px - matrix[0][2] - matrix[0][1] * v) / matrix[0][0];
    let [x, y] = [u, v];
    for (let i = 0; i < 20; i += 1) {
      const [radial, dx, dy] = bend(x, y);
      [x, y] = [(u - dx) / radial, (v - dy) / radial];
    }
    const ray = [0, 1, 2].map((j) => R[0][j] * x + R[1][j] * y + R[2][j]);
    const along = -centre[2] / ray[2];
    return along > 0 ? [centre[0] + along * ray[0], centre[1] + along * ray[1]] : [NaN, NaN];
  };
  return { toPixels, toFelt };
}

const through = (h, [x, y]) => {
  const w = h[6] * x + h[7] * y + 1;
  return [(h[0] * x + h[1] * y + h[2]) / w, (h[3] * x + h[4] * y + h[5]) / w];
};

// Least squares over all pairs, on points shifted and scaled so that the sums are well conditioned.
function homography(from, to) {
  const [a, b] = [scaled(from), scaled(to)];
  const rows = [];
  from.forEach((_, i) => {
    const [[x, y], [u, v]] = [a.points[i], b.points[i]];
    rows.push([x, y, 1, 0, 0, 0, -u * x, -u * y, u], [0, 0, 0, x, y, 1, -v * x, -v * y, v]);
  });
  const sums = Array.from({ length: 8 }, (_, i) => Array.from({ length: 9 }, (_, j) => rows.reduce((sum, row) => sum + row[i] * row[j], 0)));
  const h = solved(sums);
  if (!h) return null;
  const H = product(product(b.back, [[h[0], h[1], h[2]], [h[3], h[4], h[5]], [h[6], h[7], 1]]), a.there);
  return Math.abs(H[2][2]) < 1e-12 ? null : H.flat().map((value) => value / H[2][2]).slice(0, 8);
}

function scaled(points) {
  const n = points.length;
  const [mx, my] = [0, 1].map((k) => points.reduce((sum, p) => sum + p[k], 0) / n);
  const s = Math.max(1e-9, points.reduce((sum, p) => sum + Math.hypot(p[0] - mx, p[1] - my), 0) / n);
  return {
    points: points.map(([x, y]) => [(x - mx) / s, (y - my) / s]),
    there: [[1 / s, 0, -mx / s], [0, 1 / s, -my / s], [0, 0, 1]],
    back: [[s, 0, mx], [0, s, my], [0, 0, 1]],
  };
}

const product = (a, b) => a.map((row) => [0, 1, 2].map((j) => row[0] * b[0][j] + row[1] * b[1][j] + row[2] * b[2][j]));

function solved(m) {
  for (let i = 0; i < 8; i += 1) {
    let best = i;
    for (let r = i + 1; r < 8; r += 1) if (Math.abs(m[r][i]) > Math.abs(m[best][i])) best = r;
    if (Math.abs(m[best][i]) < 1e-12) return null;
    [m[i], m[best]] = [m[best], m[i]];
    for (let r = 0; r < 8; r += 1) {
      if (r === i) continue;
      const f = m[r][i] / m[i][i];
      for (let c = i; c < 9; c += 1) m[r][c] -= f * m[i][c];
    }
  }
  return m.map((row, i) => row[8] / row[i]);
}
