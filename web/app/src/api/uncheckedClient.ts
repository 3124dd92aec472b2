/**
 * What web/app/build.ts takes in place of the modules of packages/client-js/src that it names. They check and convert what programs of others send and get.
 * The compiler has checked the app's requests, which have neither Dates nor numbers that are none. Its service is of the same version, nobody logs its
 * answers, and browsers do not say why a connection failed. They would take two kilobytes of the first view.
 */
export function readInit(): void {}

export function readRequest(_: unknown, request: unknown): unknown {
  return request;
}

export function requireNone(): void {}

export function jsonOf(value: unknown): unknown {
  return value;
}

export const alwaysSet = {};

export function hideTypeNames(): void {}

export function withCallersNames(error: unknown): unknown {
  return error;
}

export function tlsProblem(): void {}

export function otherAddressOf(): void {}
