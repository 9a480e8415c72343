// Every moment on the page is one of the recording, written as the finding's is.
export const seconds = (s, digits = 1) => {
  const [whole, part] = Math.max(0, s).toFixed(digits).split(".");
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return `${hours}:${`${minutes}`.padStart(2, "0")}:${`${rest}`.padStart(2, "0")}.${part}`;
};
