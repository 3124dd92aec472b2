/**
 * What web/app/build.ts takes in place of readRequest.ts and jsonOf.ts of packages/client-js/src: the compiler has checked the app's requests, which have neither
 * Dates nor numbers that are none, and checking them again would take more than a kilobyte of its first view.
 */
export function readInit(): void {}

export function readRequest(_: unknown, request: unknown): unknown {
  return request;
}

export function requireNone(): void {}

export function jsonOf(value: unknown): unknown {
  return value;
}
