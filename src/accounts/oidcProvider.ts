/** The name that better-auth knows the OpenID Connect provider by. */
export const oidcProviderId = "oidc";
