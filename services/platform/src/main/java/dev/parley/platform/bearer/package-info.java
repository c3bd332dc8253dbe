/** Access tokens of external issuers (OpenID Connect, OAuth 2) as an alternative to Parley's API keys. */
@NullMarked
package dev.parley.platform.bearer;

import org.jspecify.annotations.NullMarked;
